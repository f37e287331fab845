import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { chmodSync, readdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newApiKey } from '../../../shared/store/credentials.ts'
import { temporaryFolder } from '../../support/processes/temporary-folder.ts'
import { range } from '../../support/range.ts'
import { customerBody } from '../../support/requests/bodies.ts'
import { newClient, serveForTests } from '../../support/requests/service.ts'
import { importAs, importFiles, ndjson, reportLines, writeFiles } from '../importing.ts'

serveForTests()
afterEach(() => jest.restoreAllMocks())

const customers = (count: number): string =>
  ndjson(range(count).map((id) => ['customer', customerBody({ id })]))
const modeOf = (file: string) => statSync(file).mode & 0o777

/** Returns the path of an open file of a process; undefined if it has been closed meanwhile. */
const openPath = ({ pid }: ChildProcess, fd: string): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`)
  } catch {
    return undefined
  }
}

const hasUnnamedFile = (child: ChildProcess, folder: string): boolean =>
  readdirSync(`/proc/${child.pid}/fd`).some((fd) => {
    const path = openPath(child, fd)
    return path?.startsWith(folder) && path.endsWith(' (deleted)')
  })

it('keeps what it reads in files without a name, so that nothing is left even if the command is killed', async () => {
  const { credentials, baseUrl } = await newClient()
  const TMPDIR = temporaryFolder()
  const args = ['bin/import.ts', '-', '--url', baseUrl, '--app-id', credentials.app_id]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, TMPDIR, SQLITE_TMPDIR: TMPDIR, BILLING_API_KEY: credentials.api_key },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = once(child, 'exit')
  // Until it has more rows than it keeps in memory.
  const rows = ndjson(
    range(100).map((id) => ['customer', customerBody({ id, description: 'x'.repeat(5_000) })]),
  )
  while (!hasUnnamedFile(child, TMPDIR)) await new Promise((resolve) => child.stdin.write(rows, resolve))
  expect(readdirSync(TMPDIR)).toEqual([])
  child.kill('SIGKILL')
  await ended
  expect(readdirSync(TMPDIR)).toEqual([])
})

describe('a report', () => {
  it('can be read only by its owner, even if the file existed', async () => {
    const client = await newClient()
    const files = writeFiles({ 'rows.ndjson': customers(1) })
    await importFiles(client, files)
    expect(modeOf(files.report)).toBe(0o600)
    chmodSync(files.report, 0o666)
    expect((await importFiles(client, files)).counts).toMatchObject({ resumed: 1 })
    expect(modeOf(files.report)).toBe(0o600)
  })

  it('is refused if it is a link or not a file, before anything is sent', async () => {
    const client = await newClient()
    const { paths, report } = writeFiles({ 'rows.ndjson': customers(1) })
    const target = join(temporaryFolder(), 'target')
    writeFileSync(target, '')
    symlinkSync(target, report)
    const expectRefusal = (file: string, reason: string) =>
      expect(importFiles(client, { paths, report: file })).rejects.toThrow(
        new RegExp(`^cannot write the report "${file}": ${reason}`),
      )
    await expectRefusal(report, 'it is a symbolic link')
    await expectRefusal('/dev/null', 'it is not a file')
    await expectRefusal(temporaryFolder(), '(EISDIR|it is not a file)')
    expect((await client.get('/api/customers')).json.data.customers).toEqual([])
  })

  it.each([
    { field: 'hash', value: 5 },
    { field: 'read_with', value: 'no --decimal' },
    { field: 'row', value: '1' },
    { field: 'app_id', value: null },
  ])('is refused if somebody has changed $field, with the line', async ({ field, value }) => {
    const client = await newClient()
    const files = writeFiles({ 'rows.ndjson': customers(2) })
    await importFiles(client, files)
    const [first, second] = reportLines(files.report)
    const changed = [first, { ...second, [field]: value }].map((line) => `${JSON.stringify(line)}\n`)
    writeFileSync(files.report, changed.join(''))
    await expect(importFiles(client, files)).rejects.toThrow(
      `line 2 of the report "${files.report}" was not written by an import: use a new report`,
    )
  })

  it('ends the import with one line if the disk is full, and the next run completes it', async () => {
    const client = await newClient()
    const files = writeFiles({ 'rows.ndjson': customers(300) })
    const { writeSync } = fs
    let freeBytes = 1_000
    // Mocked, because a test cannot fill a disk.
    const writeUntilFull = (fd: number, bytes: Buffer, offset: number): number => {
      if (freeBytes === 0) throw new Error('ENOSPC: no space left on device, write')
      const written = writeSync(fd, bytes, offset, Math.min(freeBytes, bytes.length - offset))
      freeBytes -= written
      return written
    }
    jest.spyOn(fs, 'writeSync').mockImplementation(writeUntilFull as typeof writeSync)
    await expect(importFiles(client, files)).rejects.toThrow(
      `cannot write the report "${files.report}": ENOSPC: no space left on device, write`,
    )
    jest.restoreAllMocks()
    expect(statSync(files.report).size).toBe(1_000)
    const { counts, lines } = await importFiles(client, files)
    expect(counts.resumed).toBeGreaterThan(0)
    expect(counts.resumed + counts.created + counts.unchanged).toBe(300)
    expect(new Set(lines.map(({ row }) => row)).size).toBe(300)
  })
})

it('shows no control characters and no API keys, whatever the files and their names contain', async () => {
  const controls = '\u009B31m\u001B[2J\u0007'
  const key = newApiKey()
  const { paths } = writeFiles({
    [`${key}.ndjson`]: ndjson([
      ['product', { id: controls, name: 7 }],
      ['\u009B31m', {}],
    ]),
  })
  const { counts, shown } = await importAs(await newClient(), paths)
  const printed = shown.replaceAll('\n', '') + JSON.stringify(counts)
  expect(printed).not.toMatch(/\p{Cc}/u)
  expect(printed).not.toContain(key)
  expect(shown).toMatch(/bdk_….ndjson, line 2: invalid. type must be one of .*\(got "\uFFFD31m/)
})
