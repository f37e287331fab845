import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { chmodSync, readdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newApiKey } from '../../../shared/store/credentials.ts'
import { temporaryFolder } from '../../support/processes/temporary-folder.ts'
import { range } from '../../support/range.ts'
import { customerBody } from '../../support/requests/bodies.ts'
import { newClient, serveForTests } from '../../support/requests/service.ts'
import { filesOf, importAs, linesOf, ndjson } from '../importing.ts'

serveForTests()
afterEach(() => jest.restoreAllMocks())

const customers = (count: number): string =>
  ndjson(range(count).map((id) => ['customer', customerBody({ id })]))
const modeOf = (file: string) => statSync(file).mode & 0o777

/** Returns the paths of the open files of a process in a folder. Those of deleted files end in " (deleted)". */
const openFilesOf = ({ pid }: ChildProcess, folder: string): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)].filter((path) => path.startsWith(folder))
    } catch {
      // The file has been closed meanwhile.
      return []
    }
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
  // More rows than are kept in memory.
  child.stdin.write(customers(150_000))
  while (!openFilesOf(child, TMPDIR).some((path) => path.endsWith(' (deleted)'))) await pause(20)
  expect(readdirSync(TMPDIR)).toEqual([])
  child.kill('SIGKILL')
  await ended
  expect(readdirSync(TMPDIR)).toEqual([])
})

describe('a report', () => {
  it('lets only its owner read a report, even if the file existed', async () => {
    const client = await newClient()
    const { paths, report } = filesOf({ 'rows.ndjson': customers(1) })
    await importAs(client, [...paths, '--report', report])
    expect(modeOf(report)).toBe(0o600)
    chmodSync(report, 0o666)
    expect((await importAs(client, [...paths, '--report', report])).counts).toMatchObject({ resumed: 1 })
    expect(modeOf(report)).toBe(0o600)
  })

  it('refuses a report that is a link or not a file, and sends nothing', async () => {
    const client = await newClient()
    const { paths, report } = filesOf({ 'rows.ndjson': customers(1) })
    const target = join(temporaryFolder(), 'target')
    writeFileSync(target, '')
    symlinkSync(target, report)
    for (const [file, why] of [
      [report, 'it is a symbolic link'],
      ['/dev/null', 'it is not a file'],
      [temporaryFolder(), '(EISDIR|it is not a file)'],
    ] as const)
      await expect(importAs(client, [...paths, '--report', file])).rejects.toThrow(
        new RegExp(`^cannot write the report "${file}": ${why}`),
      )
    expect((await client.get('/api/customers')).json.data.customers).toEqual([])
  })

  it.each([
    ['hash', 5],
    ['read_with', 'no --decimal'],
    ['row', '1'],
    ['app_id', null],
  ])('refuses a report in which somebody has changed %s, and names the line', async (field, value) => {
    const client = await newClient()
    const { paths, report } = filesOf({ 'rows.ndjson': customers(2) })
    const command = [...paths, '--report', report]
    await importAs(client, command)
    const [first, second] = linesOf(report)
    writeFileSync(
      report,
      [first, { ...second, [field]: value }].map((line) => `${JSON.stringify(line)}\n`).join(''),
    )
    await expect(importAs(client, command)).rejects.toThrow(
      `line 2 of the report "${report}" is not one that an import writes: begin a new report`,
    )
  })

  it('ends the import with one line if the disk is full, and the next run completes it', async () => {
    const client = await newClient()
    const { paths, report } = filesOf({ 'rows.ndjson': customers(300) })
    const { writeSync } = fs
    let room = 1_000
    // Mocked, since a test cannot fill a disk.
    jest.spyOn(fs, 'writeSync').mockImplementation(((fd: number, bytes: Buffer, at: number) => {
      if (room === 0) throw new Error('ENOSPC: no space left on device, write')
      const written = writeSync(fd, bytes, at, Math.min(room, bytes.length - at))
      room -= written
      return written
    }) as never)
    await expect(importAs(client, [...paths, '--report', report])).rejects.toThrow(
      `cannot write the report "${report}": ENOSPC: no space left on device, write`,
    )
    jest.restoreAllMocks()
    expect(statSync(report).size).toBe(1_000)
    const { counts } = await importAs(client, [...paths, '--report', report])
    expect(counts.resumed).toBeGreaterThan(0)
    expect(counts.resumed + counts.created + counts.unchanged).toBe(300)
    expect(new Set(linesOf(report).map(({ row }) => row)).size).toBe(300)
  })
})

it('shows no control characters and no API keys, whatever the files and their names contain', async () => {
  const [evil, key] = ['\u009B31m\u001B[2J\u0007', newApiKey()]
  const lines = ndjson([
    ['product', { id: evil, name: 7 }],
    ['\u009B31m', {}],
  ])
  const { paths } = filesOf({ [`${key}.ndjson`]: lines })
  const { counts, shown } = await importAs(await newClient(), paths)
  const all = shown.replaceAll('\n', '') + JSON.stringify(counts)
  expect(all).not.toMatch(/\p{Cc}/u)
  expect(all).not.toContain(key)
  expect(shown).toMatch(/bdk_….ndjson, line 2: invalid. type must be one of .*\(got "\uFFFD31m/)
})
