import type { ComponentChildren } from 'preact'
import { useTimeZone, zoneParameter } from '../frame/time-zone.ts'

interface CsvButtonProps {
  /** The title of what is saved, for assistive technology. */
  readonly title: string
  /** The name of the file, without its extension; by default it is made from the title. */
  readonly fileName?: string
  /** Returns the content of the file, once the button is pressed. */
  readonly content: () => string | Promise<Blob>
  readonly children?: ComponentChildren
}

/** Excel reads a CSV file as UTF-8 only if it begins with a byte order mark. */
const BYTE_ORDER_MARK = '\u{FEFF}'

/** A button that saves CSV as a file, whose name ends with the time zone unless that is UTC. */
export const CsvButton = ({ title, fileName = title, content, children = 'CSV' }: CsvButtonProps) => {
  const zone = zoneParameter(useTimeZone())
  const save = async () => {
    const file = new Blob([BYTE_ORDER_MARK, await content()], { type: 'text/csv;charset=utf-8' })
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
