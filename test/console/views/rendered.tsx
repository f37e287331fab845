import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { QueryOf, Question } from '../../../console/copy/answers.ts'
import type { LocalCopy } from '../../../console/copy/local-copy.ts'
import {
  type DocumentedResource,
  type OpenApiDocument,
  resourcesOf,
} from '../../../console/frame/contract.ts'
import { CopyContext, type CopyState } from '../../../console/frame/copy-context.tsx'
import { type Connection, SessionContext } from '../../../console/frame/session.ts'
import { openApiDocument } from '../../../shared/openapi/document.ts'

const document: OpenApiDocument = JSON.parse(JSON.stringify(openApiDocument('https://api.example.org')))
const resources = resourcesOf(document)

/** Returns the storage of a browser, in memory. */
const storageInMemory = () => {
  const stored = new Map<string, string>()
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  }
}

for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(globalThis, name, { value: storageInMemory() })

/** Returns a resource of the contract by its plural. */
export const resourceOf = (plural: string): DocumentedResource =>
  resources.find((resource) => resource.plural === plural)!

/** The answers of a copy by the keys under which views keep them. Each is computed when a view asks for it. */
class AnswersOf extends Map<string, { version: number; answer: unknown }> {
  readonly #copy: LocalCopy

  constructor(copy: LocalCopy) {
    super()
    this.#copy = copy
  }

  override get(key: string) {
    const [question, timeZone, ...query] = key.split(' ')
    const asked = JSON.parse(query.join(' ')) as QueryOf<Question>
    return { version: 0, answer: this.#copy.answer(question as Question, asked, timeZone) }
  }
}

const session: Connection = {
  baseUrl: 'https://api.example.org',
  appId: 'app_1',
  applicationName: 'Example Ltd',
  docsUrl: undefined,
  resources,
  api: {},
  mayChange: false,
  heldBack: 0,
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Returns the text of elements, with a space between their texts. */
export const textOf = (view: VNode): string =>
  renderToString(view)
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name]!)
    .replace(/\s+/g, ' ')
    .trim()

/** Expects that a text contains these parts, and none of `without`. */
export const expectTexts = (
  text: string,
  parts: readonly string[],
  without: readonly string[] = [],
): void => {
  for (const part of parts) expect(text).toContain(part)
  for (const part of without) expect(text).not.toContain(part)
}

/** Returns the text of a view that shows a copy, in a session with a key that may change records or not. */
export const rendered = (copy: LocalCopy, view: VNode, { mayChange = false } = {}): string => {
  const state: CopyState = {
    extent: copy.extent(),
    recordsRead: undefined,
    awaitsConfirmation: false,
    error: undefined,
    start: () => undefined,
    stop: () => undefined,
    save: async () => undefined,
    ask: async (question, query) => copy.answer(question, query),
    version: 0,
    latestAnswers: new AnswersOf(copy),
  }
  return textOf(
    <SessionContext.Provider value={{ ...session, mayChange, signOut: () => undefined }}>
      <CopyContext.Provider value={state}>{view}</CopyContext.Provider>
    </SessionContext.Provider>,
  )
}
