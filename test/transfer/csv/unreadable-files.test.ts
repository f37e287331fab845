import { gzipSync } from 'node:zlib'
import { serveForTests } from '../../support/requests/service.ts'
import { expectStop } from '../importing.ts'

serveForTests()

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

it.each<[problem: string, name: string, content: string | Uint8Array, message: string | RegExp]>([
  [
    'has two columns of one field',
    'products.csv',
    'id,id\n1,A\n',
    /, the columns "id" and "id" are both id; --map "products:COLUMN=FIELD"/,
  ],
  [
    'begins with a line for Excel',
    'products.csv',
    'sep=;\r\nid;name\r\n',
    /line 1 is "sep=;", which only Excel understands .* delete this line/,
  ],
  [
    'is CSV in UTF-16',
    'products.csv',
    utf16('id,name\n'),
    'it is UTF-16, which Excel writes as "Unicode Text"',
  ],
  [
    'is NDJSON in UTF-16',
    'all.ndjson',
    utf16('{"type":'),
    'in PowerShell, end the command with "| Out-File -Encoding utf8',
  ],
  [
    'is a workbook',
    'invoices.xlsx',
    zipOf('[Content_Types].xml'),
    /it is a ZIP archive, such as a workbook of Excel/,
  ],
  [
    'is a workbook of openpyxl',
    'invoices.xlsx',
    zipOf('docProps/app.xml'),
    /it is a ZIP archive, such as a workbook of Excel/,
  ],
  [
    'is only the beginning of a workbook',
    'invoices.xlsx',
    Buffer.from(ZIP_SIGNATURE, 'latin1'),
    /it is a ZIP archive, such as a workbook of Excel/,
  ],
  [
    'is an archive of CSV files',
    'sheets.csv',
    zipOf('invoices.csv'),
    /it is a ZIP archive of files such as "invoices.csv": unpack it/,
  ],
  [
    'is a workbook of an old Excel version',
    'invoices.csv',
    Buffer.from('d0cf11e0a1b1', 'hex'),
    `a workbook of an old Excel version (.xls): ${saveAs}`,
  ],
  [
    'is compressed, but its name does not end in .gz',
    'products.csv',
    compressed,
    'it is compressed with gzip, so its name must end in .gz',
  ],
  [
    'is not named after a resource',
    'people.csv',
    'id,name\n1,A\n',
    /named after its resource: products.csv, .*\(got ".*people.csv"\)/,
  ],
  [
    'is not UTF-8',
    'customers.csv',
    Buffer.from('id\nJ\xf6rg\n', 'latin1'),
    'it must be UTF-8, and byte 2 of line 2 is not',
  ],
  [
    'has an unclosed quote',
    'products.csv',
    'id,name\n1,"A\n',
    /cannot read ".*products.csv": the record that begins in line 2 has an unclosed quote/,
  ],
  [
    'has a quote in a cell without quotes',
    'products.csv',
    'id,name\n1,"A\n\nB"\n2,5" pipe\n',
    /the record that begins in line 5 has a quote \("\) in a cell .* such as "5"" pipe"/,
  ],
  [
    'has text after the quote that ends a cell',
    'products.csv',
    'id,name\n1,"5" pipe\n',
    /the record that begins in line 2 has text after the quote/,
  ],
  [
    'has a carriage return within a cell',
    'products.csv',
    'id,name\n1,A\n2,B\rC\n',
    /line 3 has a carriage return \(CR\) within a cell, while other lines end with a line feed/,
  ],
  [
    'has too many columns',
    'products.csv',
    `id,name\n${','.repeat(120_000)}\n`,
    /line 2 has 120001 columns, more than 16384/,
  ],
  [
    'has a line that is too long',
    'products.csv',
    `id,name\n1,"${'A'.repeat(1_100_000)}`,
    /cannot read .*: line 2 is longer than 1048576/,
  ],
  [
    'is not compressed, but its name ends in .gz',
    'products.csv.gz',
    'id,name\n',
    /cannot read ".*products.csv.gz": incorrect header check/,
  ],
  [
    'is only the beginning of a compressed file',
    'products.ndjson.gz',
    compressed.subarray(0, 20),
    /cannot read .*: unexpected end of file/,
  ],
])('records nothing if a file %s', (_, name, content, message) =>
  expectStop({ 'customers-1.csv': 'id\n1\n', [name]: content }, [], message),
)
