import { isDateForm, parseDate } from '../contract/dates.ts'

/** What the time of a date may lack, with the place of it and the replacement that completes that. */
const repairs = [
  { lack: 'seconds', place: /([Tt ]\d\d:\d\d)(?![:\d])/, complete: '$1:00' },
  { lack: 'a colon in its offset', place: /(:\d\d(?:\.\d+)?[+-]\d\d)(\d\d)$/, complete: '$1:$2' },
  { lack: 'minutes in its offset', place: /(:\d\d(?:\.\d+)?[+-]\d\d)$/, complete: '$1:00' },
]

/**
 * Returns what to write instead of a text that is almost a date, for the end of an error's detail: the text lacks
 * seconds, an offset or a part of one, or names a day or time that does not exist. Empty for any other text.
 */
export const nearDate = (text: string): string => {
  const lacks: string[] = []
  let repaired = text
  for (const { lack, place, complete } of repairs)
    if (place.test(repaired)) {
      lacks.push(lack)
      repaired = repaired.replace(place, complete)
    }
  const withT = repaired.replace(' ', 'T')
  const date = [repaired, withT, `${withT}Z`].find((each) => parseDate(each) !== undefined)
  if (date === undefined) return isDateForm(repaired) ? '; there is no such day or time' : ''
  const needs = lacks.length > 0 ? ` it needs ${lacks.join(' and ')},` : ''
  return `;${needs} write "${date}"${date === `${withT}Z` ? ' if it is UTC' : ''}`
}
