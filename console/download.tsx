/** A button that saves a text as a file of CSV. `text` is made when it is pressed. */
export const CsvButton = ({ name, text }: { name: string; text: () => string | Promise<string> }) => {
  const save = async () => {
    const url = URL.createObjectURL(new Blob([await text()], { type: 'text/csv;charset=utf-8' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${name.toLowerCase().replace(/\W+/g, '-')}.csv`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <button type="button" class="csv" onClick={save} aria-label={`${name} as CSV`}>
      CSV
    </button>
  )
}
