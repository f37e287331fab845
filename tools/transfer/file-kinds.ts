/** How to get a file that can be read out of a spreadsheet. */
const SAVE_AS_CSV =
  'in Excel, choose "File > Save As > CSV UTF-8 (Comma delimited)"; in LibreOffice, "File > Save As > Text CSV" with the character set "Unicode (UTF-8)"'

/** The error of bytes that are no UTF-8, at a place in words. They are mostly of Windows' old character set. */
export const notUtf8 = (place: string): Error =>
  new Error(
    `it must be UTF-8, and ${place} is not; it may be ANSI, which Excel writes as "CSV (Comma delimited)": ${SAVE_AS_CSV}`,
  )

interface OtherKind {
  /** The bytes that such files begin with. */
  readonly beginnings: readonly (readonly number[])[]
  readonly what: string
}

/** Files that are often taken for text. */
const otherKinds: readonly OtherKind[] = [
  {
    beginnings: [[0x50, 0x4b, 0x03, 0x04]],
    what: `it is a ZIP archive, as a workbook of Excel (.xlsx) or LibreOffice (.ods) is: ${SAVE_AS_CSV}`,
  },
  {
    beginnings: [[0xd0, 0xcf, 0x11, 0xe0]],
    what: `it is a workbook of an old Excel (.xls): ${SAVE_AS_CSV}`,
  },
  { beginnings: [[0x1f, 0x8b]], what: 'it is packed with gzip, so its name must end in .gz' },
  {
    beginnings: [
      [0xff, 0xfe],
      [0xfe, 0xff],
    ],
    what: `it is UTF-16, which Excel writes as "Unicode Text" and Windows PowerShell with ">": ${SAVE_AS_CSV}; in PowerShell, end the command with "| Out-File -Encoding utf8 FILE"`,
  },
]

/** Yields the bytes of a text. Throws Error for a file of another kind, with what helps. */
export async function* textBytes(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of stream) {
    const begins = (bytes: readonly number[]) => bytes.every((byte, index) => chunk[index] === byte)
    const found = isFirst && otherKinds.find(({ beginnings }) => beginnings.some(begins))
    if (found) throw new Error(found.what)
    isFirst = false
    yield chunk
  }
}
