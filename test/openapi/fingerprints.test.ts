import { createHash } from 'node:crypto'
import { theDocument } from '../support/document.ts'

const fingerprint = (part: unknown): string =>
  createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 8)

/** The parts of a part of the document, by their names below `prefix`. */
const partsOf = (prefix: string, parts: object): [string, string][] =>
  Object.entries(parts).map(([name, part]) => [`${prefix} ${name}`, fingerprint(part)])

// A change that is meant is accepted by `npx jest test/openapi/fingerprints -u`; its reviewers see what it touches.
describe('the contract', () => {
  it('changes on purpose only: what has another fingerprint here has changed for every client', () => {
    const { paths, components, info, ...rest } = theDocument()
    const { version: _, ...about } = info
    const prints = [
      ...Object.entries(paths).flatMap(([path, methods]) => partsOf(path, methods)),
      ...Object.entries(components).flatMap(([kind, all]) => partsOf(kind, all)),
      ...partsOf('document', { ...rest, info: about }),
    ]
    expect(Object.fromEntries(prints)).toMatchSnapshot()
  })
})
