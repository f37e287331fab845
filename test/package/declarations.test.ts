import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { declarations } from '../../lib/package/declarations.ts'

const exported = (text: string): string[] =>
  [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name as string).sort()

const comparison = (names: readonly string[]): string => `
import type * as derived from '../../client/types.ts'
import type * as printed from './printed.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
export const equal: readonly true[] = [
${names.map((name) => `  true satisfies Equal<printed.${name}, derived.${name}>,`).join('\n')}
]
`

/** What the compiler says of `declarations`, compared with the derived types; nothing where they are equal. */
const complaints = async (printed: string): Promise<string> => {
  mkdirSync('dist', { recursive: true })
  const folder = mkdtempSync(join('dist', 'types-'))
  try {
    writeFileSync(
      join(folder, 'printed.ts'),
      printed.replace('./operations.ts', '../../client/operations.ts'),
    )
    writeFileSync(join(folder, 'equal.ts'), comparison(exported(printed).filter((name) => name !== 'Client')))
    writeFileSync(
      join(folder, 'client.ts'),
      `import type * as derived from '../../client/types.ts'
import type * as printed from './printed.ts'
export const there = (client: derived.Client): printed.Client => client
export const back = (client: printed.Client): derived.Client => client
`,
    )
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../../tsconfig.json', include: ['.'] }),
    )
    return await promisify(execFile)('node_modules/.bin/tsc', ['-p', folder]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('the published declarations', () => {
  const printed = declarations()

  it('name the types that the client exports, all of them', () => {
    expect(exported(printed)).toEqual(exported(readFileSync('client/types.ts', 'utf8')))
  })

  it('are the types that the contract says', async () => {
    expect(await complaints(printed)).toBe('')
  })

  it.each([
    ['a field less', '  currency: string\n', ''],
    ['a closed enumeration', ' | (string & {})', ''],
    ['an optional field that is required', 'title?: string', 'title: string'],
  ])('would not be with %s', async (_, text, other) => {
    expect(printed).toContain(text)
    expect(await complaints(printed.replace(text, other))).toContain(
      "does not satisfy the expected type 'false'",
    )
  })
})
