import { expose, proxy, wrap } from 'comlink'
import type { Bookmark, CopiedList, RecordedEntity } from '../records/entities.ts'
import type { FetchedPage } from '../records/record-store.ts'
import type { Answer, QueryOf, Question } from './answers.ts'
import { type CopiedApplication, openCopyDatabase } from './database.ts'
import { type Extent, openLocalCopy, type Tabs } from './local-copy.ts'

const openCopy = async (application: CopiedApplication, fields: string, onOtherTabSave: () => void) => {
  const database = await openCopyDatabase(application, fields)
  const { baseUrl, appId } = application
  const tabs = new BroadcastChannel(`billing ${baseUrl} ${appId}`) as Tabs
  return proxy(await openLocalCopy({ database, tabs, onOtherTabSave }))
}

/** Lets the page that started this thread open the copy in it, so that reading, storing and computing do not block the page. */
export const serveCopy = (): void => expose(openCopy)

/** The part of the Trusted Types API that is used here. Only some browsers have it. */
interface Policies {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): string }
}

const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes
/** The only policy that the page's headers allow: it creates the URL of this script. */
const policy =
  'document' in globalThis
    ? policies?.createPolicy('worker', { createScriptURL: () => import.meta.url })
    : undefined

/** The functions of the copy, as the page calls them in the thread. */
interface RemoteCopy {
  extent(): Promise<Extent>
  bookmark(list: CopiedList): Promise<Bookmark>
  write(list: CopiedList, page: FetchedPage, after: Bookmark): Promise<boolean>
  save(list: CopiedList, entity: RecordedEntity, at?: number): Promise<void>
  answer<Name extends Question>(question: Name, query: QueryOf<Name>, timeZone: string): Promise<Answer<Name>>
}

export interface CopyThread {
  readonly copy: RemoteCopy
  end(): void
}

/**
 * Opens the copy of an application, with the fields of its records, in a new thread, which runs this script too.
 * `onOtherTabSave` is called after another tab has saved.
 */
export const openThread = async (
  { baseUrl, appId }: CopiedApplication,
  fields: string,
  onOtherTabSave: () => void,
): Promise<CopyThread> => {
  const worker = new Worker(policy?.createScriptURL('') ?? import.meta.url, { type: 'module' })
  const copy = await wrap<typeof openCopy>(worker)({ baseUrl, appId }, fields, proxy(onOtherTabSave))
  // The types of Comlink do not preserve that the type of an answer depends on its question.
  return { copy: copy as RemoteCopy, end: () => worker.terminate() }
}
