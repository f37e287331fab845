import { isDateForm, parseDate } from '../contract/dates.ts'

/** What the time of a date may lack, where that is, and what completes it. */
const repairs: readonly (readonly [lack: string, place: RegExp, complete: string])[] = [
  ['seconds', /([Tt ]\d\d:\d\d)(?![:\d])/, '$1:00'],
  ['a colon in its offset', /(:\d\d(?:\.\d+)?[+-]\d\d)(\d\d)$/, '$1:$2'],
  ['minutes in its offset', /(:\d\d(?:\.\d+)?[+-]\d\d)$/, '$1:00'],
]

/**
 * Returns what to write instead of a text that is almost a date, for the end of an error's detail: the text lacks
 * seconds, an offset or a part of one, or names a day or time that does not exist. Empty for any other text.
 */
export const nearDate = (text: string): string => {
  const lacks: string[] = []
  let complete = text
  for (const [lack, place, completed] of repairs)
    if (place.test(complete)) {
      lacks.push(lack)
      complete = complete.replace(place, completed)
    }
  const withT = complete.replace(' ', 'T')
  const date = [complete, withT, `${withT}Z`].find((each) => parseDate(each) !== undefined)
  if (date === undefined) return isDateForm(complete) ? '; there is no such day or time' : ''
  const needs = lacks.length > 0 ? ` it needs ${lacks.join(' and ')},` : ''
  return `;${needs} write "${date}"${date === `${withT}Z` ? ' if it is UTC' : ''}`
}
