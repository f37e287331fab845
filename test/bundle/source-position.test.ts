import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLE, bundleFunctions } from '../../lib/bundle/bundle.ts'
import { mappedBundle } from '../../lib/bundle/source-position.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const endpoint = catalogue.find(({ id }) => id === 'invoices.create')!

it('a position in a logged stack maps to the source of exactly the deployed code', async () => {
  const { code, sourceOf } = await mappedBundle(endpoint)
  const [bundle] = await bundleFunctions(temporaryFolder(), [endpoint])
  expect(code).toBe(readFileSync(join(bundle!.folder, BUNDLE), 'utf8'))
  const text = 'belongs to another.'
  const line = code.slice(0, code.indexOf(text)).split('\n').length
  const column = code.split('\n')[line - 1]!.indexOf(text) + 1
  expect(sourceOf(line, column)).toMatch(/^shared\/store\/references\.ts:\d+:\d+$/)
  expect([sourceOf(1_000_000, 1), sourceOf(line, 10_000_000)]).toEqual([undefined, undefined])
})
