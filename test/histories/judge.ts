import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { installPythonPackages } from '../support/packages/python-packages.ts'
import type { Operation } from './client.ts'

/** No order of the operations explains the history of the key. */
export interface Violation {
  readonly key: string
  readonly why: string
  /** The operations that show it, without reads that do not matter. */
  readonly operations: readonly Operation[]
}

/**
 * Compiles the judge into a folder, with the Go that Python's registry has. Returns undefined if that is
 * missing.
 */
export const compiledJudge = (folder: string): string | undefined => {
  const commands = installPythonPackages()
  if (!commands) return undefined
  const program = resolve(folder, 'judge')
  const env = { ...process.env, GOFLAGS: '-buildvcs=false' }
  const options = { cwd: 'test/histories/judge', env, stdio: 'inherit' } as const
  execFileSync(join(commands, 'go'), ['build', '-o', program, '.'], options)
  return program
}

/** NDJSON. */
export const linesOf = (history: readonly Operation[]): string =>
  history.map((operation) => `${JSON.stringify(operation)}\n`).join('')

export const judged = async (program: string, history: readonly Operation[]): Promise<Violation[]> => {
  const operations = [...history]
  const lines = linesOf(operations)
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(lines)
  const [verdicts, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (code !== 0) throw new Error(`the judge ended with ${code}`)
  return verdicts
    .split('\n')
    .filter((line) => line)
    .map((line) => JSON.parse(line) as { key: string; why: string; lines: number[] })
    .map(({ lines, ...verdict }) => ({ ...verdict, operations: lines.map((line) => operations[line]!) }))
}

const list = (values: Readonly<Record<string, unknown>> = {}): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

/** Times are in seconds since the first operation. */
export const timelineOf = ({ key, why, operations }: Violation): string => {
  const start = Math.min(...operations.map(({ call }) => call))
  const time = (micros: number) =>
    (micros < Number.MAX_SAFE_INTEGER ? ((micros - start) / 1e6).toFixed(3) : '…').padStart(7)
  const lines = operations
    .toSorted((one, other) => one.call - other.call)
    .map((operation) => {
      const { client, process, op, input, outcome, shown, rows } = operation
      const number = input?.number === undefined ? '' : ` #${input.number}`
      const request = `${op}${number} ${list(input?.fields)}`.trim()
      const seen = rows ? rows.map(({ id, changed }) => `${id}@${changed}`).join(' ') : list(shown)
      const who = `${client} via ${process}`
      return `${time(operation.call)} – ${time(operation.return)}  ${who.padEnd(20)} ${request} → ${outcome} ${seen}`
    })
  return [`${key}: ${why}`, ...lines].join('\n')
}
