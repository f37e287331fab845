import type { ComponentChildren } from 'preact'
import { useTimeZone, zoneParameter } from '../frame/time-zone.ts'
import { type CsvForm, type CsvTable, csv, csvForms } from '../text/csv.ts'

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

interface CsvButtonProps {
  readonly title: string
  /** The name of the file, without its extension; by default it is made from the title. */
  readonly fileName?: string
  /** Returns the content of the file, once the button is pressed: a table, or its text in a form. */
  readonly content: (form: CsvForm) => CsvTable | Promise<Blob>
  readonly children?: ComponentChildren
}

/** Excel reads a CSV file as UTF-8 only if it begins with a byte order mark. */
const BYTE_ORDER_MARK = '\u{FEFF}'

/** A button that saves CSV as a file, whose name ends with the time zone unless that is UTC. */
export const CsvButton = ({ title, fileName = title, content, children = 'CSV' }: CsvButtonProps) => {
  const zone = zoneParameter(useTimeZone())
  const save = async () => {
    const form = currentCsvForm()
    const table = await content(form)
    const text = table instanceof Blob ? table : csv(table, form)
    const file = new Blob([BYTE_ORDER_MARK, text], { type: 'text/csv;charset=utf-8' })
    const url = URL.createObjectURL(file)
    const link = document.createElement('a')
    link.href = url
    const name = `${fileName} ${zone}`.trim()
    link.download = `${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}.csv`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <button type="button" class="csv" onClick={save} aria-label={`${title} as CSV`}>
      {children}
    </button>
  )
}

const formNames: Readonly<Record<CsvForm, string>> = {
  point: '1,234.56 with commas',
  comma: '1.234,56 with semicolons',
}

/** The choice of the form of all CSV files, which this browser remembers. */
export const CsvFormChoice = () => {
  const chosen = currentCsvForm()
  return (
    <select
      aria-label="Numbers in CSV"
      onChange={({ currentTarget }) => rememberCsvForm(currentTarget.value as CsvForm)}
    >
      {Object.entries(formNames).map(([form, name]) => (
        <option key={form} value={form} selected={form === chosen}>
          {name}
        </option>
      ))}
    </select>
  )
}
