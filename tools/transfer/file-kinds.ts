const SAVE_AS_CSV =
  'in Excel, choose "File > Save As > CSV UTF-8 (Comma delimited)"; in LibreOffice, "File > Save As > Text CSV" with the character set "Unicode (UTF-8)"'

/** Returns the error for bytes that are not UTF-8. `location` is in words. They are usually of Windows' old character set. */
export const notUtf8 = (location: string): Error =>
  new Error(
    `it must be UTF-8, and ${location} is not; it may be ANSI, which Excel writes as "CSV (Comma delimited)": ${SAVE_AS_CSV}`,
  )

interface OtherKind {
  readonly signatures: readonly (readonly number[])[]
  /** What the user can do. `start` is the beginning of the file. */
  readonly advice: string | ((start: Buffer) => string)
}

/** Where a ZIP archive has the length of the name of its first file, and the name. */
const ZIP_NAME = { length: 26, start: 30 }

/** The first files of workbooks. */
const workbookFiles: ReadonlySet<string> = new Set(['[Content_Types].xml', 'mimetype', '_rels/.rels', ''])

const zipAdvice = (start: Buffer): string => {
  const length = start.length >= ZIP_NAME.start ? start.readUInt16LE(ZIP_NAME.length) : 0
  const name = start.toString('utf8', ZIP_NAME.start, ZIP_NAME.start + length)
  return workbookFiles.has(name) || name.startsWith('xl/')
    ? `it is a ZIP archive, as a workbook of Excel (.xlsx) or LibreOffice (.ods) is: ${SAVE_AS_CSV}`
    : `it is a ZIP archive of files such as "${name}": unpack it`
}

/** Files that are often mistaken for text. */
const otherKinds: readonly OtherKind[] = [
  {
    signatures: [[0x50, 0x4b, 0x03, 0x04]],
    advice: zipAdvice,
  },
  {
    signatures: [[0xd0, 0xcf, 0x11, 0xe0]],
    advice: `it is a workbook of an old Excel (.xls): ${SAVE_AS_CSV}`,
  },
  { signatures: [[0x1f, 0x8b]], advice: 'it is packed with gzip, so its name must end in .gz' },
  {
    signatures: [
      [0xff, 0xfe],
      [0xfe, 0xff],
    ],
    advice: `it is UTF-16, which Excel writes as "Unicode Text" and Windows PowerShell with ">": ${SAVE_AS_CSV}; in PowerShell, end the command with "| Out-File -Encoding utf8 FILE"`,
  },
]

/** Yields the bytes of a text. Throws Error for a file of another kind, with advice. */
export async function* textBytes(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of stream) {
    const isPrefix = (bytes: readonly number[]) => bytes.every((byte, index) => chunk[index] === byte)
    const found = isFirst && otherKinds.find(({ signatures }) => signatures.some(isPrefix))
    if (found) throw new Error(typeof found.advice === 'string' ? found.advice : found.advice(chunk))
    isFirst = false
    yield chunk
  }
}
