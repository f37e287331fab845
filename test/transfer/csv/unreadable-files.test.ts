import { gzipSync } from 'node:zlib'
import { serveForTests } from '../../support/requests/service.ts'
import { expectStop } from '../importing.ts'

serveForTests()

/** A file that cannot be imported. */
interface UnreadableFile {
  readonly problem: string
  readonly name: string
  readonly content: string | Uint8Array
  readonly message: string | RegExp
}

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
const compressed = gzipSync('{"type": "x"}')
const ZIP_SIGNATURE = 'PK\x03\x04'
/** Returns the beginning of a ZIP archive with a file. */
const zipOf = (name: string): Buffer => {
  const header = Buffer.alloc(30)
  header.write(ZIP_SIGNATURE, 'latin1')
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name)])
}
const saveAs = 'in Excel, choose "File > Save As > CSV UTF-8 (Comma delimited)"; in LibreOffice'

const unreadableFiles: UnreadableFile[] = [
  {
    problem: 'has two columns of one field',
    name: 'products.csv',
    content: 'id,id\n1,A\n',
    message: /, the columns "id" and "id" are both id; --map "products:COLUMN=FIELD"/,
  },
  {
    problem: 'begins with a line for Excel',
    name: 'products.csv',
    content: 'sep=;\r\nid;name\r\n',
    message: /line 1 is "sep=;", which only Excel understands .* delete this line/,
  },
  {
    problem: 'is CSV in UTF-16',
    name: 'products.csv',
    content: utf16('id,name\n'),
    message: 'it is UTF-16, which Excel writes as "Unicode Text"',
  },
  {
    problem: 'is NDJSON in UTF-16',
    name: 'all.ndjson',
    content: utf16('{"type":'),
    message: 'in PowerShell, end the command with "| Out-File -Encoding utf8',
  },
  {
    problem: 'is a workbook',
    name: 'invoices.xlsx',
    content: zipOf('[Content_Types].xml'),
    message: /it is a ZIP archive, such as a workbook of Excel/,
  },
  {
    problem: 'is a workbook of openpyxl',
    name: 'invoices.xlsx',
    content: zipOf('docProps/app.xml'),
    message: /it is a ZIP archive, such as a workbook of Excel/,
  },
  {
    problem: 'is only the beginning of a workbook',
    name: 'invoices.xlsx',
    content: Buffer.from(ZIP_SIGNATURE, 'latin1'),
    message: /it is a ZIP archive, such as a workbook of Excel/,
  },
  {
    problem: 'is an archive of CSV files',
    name: 'sheets.csv',
    content: zipOf('invoices.csv'),
    message: /it is a ZIP archive of files such as "invoices.csv": unpack it/,
  },
  {
    problem: 'is a workbook of an old Excel version',
    name: 'invoices.csv',
    content: Buffer.from('d0cf11e0a1b1', 'hex'),
    message: `a workbook of an old Excel version (.xls): ${saveAs}`,
  },
  {
    problem: 'is compressed, but its name does not end in .gz',
    name: 'products.csv',
    content: compressed,
    message: 'it is compressed with gzip, so its name must end in .gz',
  },
  {
    problem: 'is not named after a resource',
    name: 'people.csv',
    content: 'id,name\n1,A\n',
    message: /named after its resource: products.csv, .*\(got ".*people.csv"\)/,
  },
  {
    problem: 'is not UTF-8',
    name: 'customers.csv',
    content: Buffer.from('id\nJ\xf6rg\n', 'latin1'),
    message: 'it must be UTF-8, and byte 2 of line 2 is not',
  },
  {
    problem: 'has an unclosed quote',
    name: 'products.csv',
    content: 'id,name\n1,"A\n',
    message: /cannot read ".*products.csv": the record that begins in line 2 has an unclosed quote/,
  },
  {
    problem: 'has a quote in a cell without quotes',
    name: 'products.csv',
    content: 'id,name\n1,"A\n\nB"\n2,5" pipe\n',
    message: /the record that begins in line 5 has a quote \("\) in a cell .* such as "5"" pipe"/,
  },
  {
    problem: 'has text after the quote that ends a cell',
    name: 'products.csv',
    content: 'id,name\n1,"5" pipe\n',
    message: /the record that begins in line 2 has text after the quote/,
  },
  {
    problem: 'has a carriage return within a cell',
    name: 'products.csv',
    content: 'id,name\n1,A\n2,B\rC\n',
    message: /line 3 has a carriage return \(CR\) within a cell, while other lines end with a line feed/,
  },
  {
    problem: 'has too many columns',
    name: 'products.csv',
    content: `id,name\n${','.repeat(120_000)}\n`,
    message: /line 2 has 120001 columns, more than 16384/,
  },
  {
    problem: 'has a line that is too long',
    name: 'products.csv',
    content: `id,name\n1,"${'A'.repeat(1_100_000)}`,
    message: /cannot read .*: line 2 is longer than 1048576/,
  },
  {
    problem: 'is not compressed, but its name ends in .gz',
    name: 'products.csv.gz',
    content: 'id,name\n',
    message: /cannot read ".*products.csv.gz": incorrect header check/,
  },
  {
    problem: 'is only the beginning of a compressed file',
    name: 'products.ndjson.gz',
    content: compressed.subarray(0, 20),
    message: /cannot read .*: unexpected end of file/,
  },
]

it.each(unreadableFiles)('records nothing if a file $problem', ({ name, content, message }) =>
  expectStop({ 'customers-1.csv': 'id\n1\n', [name]: content }, [], message),
)
