import { type CsvForm, csvForms } from '../text/csv.ts'

const STORAGE_KEY = 'billing-console-csv-form'

/** Keeps a form in this browser, also after the sign-out. */
export const rememberCsvForm = (form: CsvForm): void => localStorage.setItem(STORAGE_KEY, form)

/** Returns the form of numbers in the reader's country, as the first language of the browser has them. */
const formOfLanguage = (): CsvForm => {
  // A browser on a system without a language reports "C", which is no language tag.
  const language = navigator.languages.find((tag) => /^[a-z]{2,3}(-|$)/i.test(tag))
  const parts = new Intl.NumberFormat(language).formatToParts(1.5)
  const mark = parts.find(({ type }) => type === 'decimal')?.value
  return mark === ',' ? 'comma' : 'point'
}

export const currentCsvForm = (): CsvForm => {
  const remembered = localStorage.getItem(STORAGE_KEY) ?? ''
  return remembered in csvForms ? (remembered as CsvForm) : formOfLanguage()
}
