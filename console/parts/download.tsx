interface CsvButtonProps {
  readonly name: string
  /** The name of the file, without its ending; by default the name in lower case. */
  readonly file?: string
  /** Returns the text of the file, once the button is pressed. */
  readonly text: () => string | Promise<Blob>
}

/** A button that saves CSV as a file. */
export const CsvButton = ({ name, file = name, text }: CsvButtonProps) => {
  const save = async () => {
    // Excel reads UTF-8 as UTF-8 only after a byte order mark.
    const url = URL.createObjectURL(new Blob(['\u{FEFF}', await text()], { type: 'text/csv;charset=utf-8' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${file.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}.csv`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <button type="button" class="csv" onClick={save} aria-label={`${name} as CSV`}>
      CSV
    </button>
  )
}
