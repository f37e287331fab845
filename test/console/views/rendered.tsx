import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { QueryOf, Question } from '../../../console/copy/answers.ts'
import type { LocalCopy } from '../../../console/copy/local-copy.ts'
import { type OpenApiDocument, type Resource, resourcesOf } from '../../../console/frame/contract.ts'
import { CopyContext, type CopyState } from '../../../console/frame/copy-context.tsx'
import { type Connection, SessionContext } from '../../../console/frame/session.ts'
import { openApiDocument } from '../../../shared/openapi/document.ts'

const document: OpenApiDocument = JSON.parse(JSON.stringify(openApiDocument('https://api.example.org')))
const resources = resourcesOf(document)

/** The storage of a browser, in memory. */
const stored = new Map<string, string>()
Object.defineProperty(globalThis, 'localStorage', {
  value: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  },
})

/** Returns a resource of the contract by its plural. */
export const resourceOf = (plural: string): Resource =>
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

/** Returns the text of a view that shows a copy, with a space between the texts of its elements. */
export const rendered = (copy: LocalCopy, view: VNode): string => {
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
  const html = renderToString(
    <SessionContext.Provider value={{ ...session, signOut: () => undefined }}>
      <CopyContext.Provider value={state}>{view}</CopyContext.Provider>
    </SessionContext.Provider>,
  )
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name]!)
    .replace(/\s+/g, ' ')
    .trim()
}
