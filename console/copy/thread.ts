import { expose, proxy, type Remote, wrap } from 'comlink'
import { type Application, openDatabase } from './database.ts'
import { type LocalCopy, openLocalCopy, type Tabs } from './local-copy.ts'

/** Opens the copy of an application, whose functions the page then calls. `changed` is called after another tab's saves. */
const openCopy = async (application: Application, changed: () => void) => {
  const database = await openDatabase(application)
  const { baseUrl, appId } = application
  const tabs = new BroadcastChannel(`billing ${baseUrl} ${appId}`) as Tabs
  return proxy(await openLocalCopy({ database, tabs, changed }))
}

/** Lets the page that started this thread open the copy in it: reading, storing and counting do not block the page. */
export const serveCopy = (): void => expose(openCopy)

/** The part of Trusted Types that is used here; only some browsers have it. */
interface Policies {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): string }
}

const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes
/** The one policy that the page's headers allow: it names this script, and nothing else. */
const policy =
  'document' in globalThis
    ? policies?.createPolicy('worker', { createScriptURL: () => import.meta.url })
    : undefined

export interface CopyThread {
  readonly copy: Remote<LocalCopy>
  end(): void
}

/** Opens the copy of an application in a thread of its own, which runs this same script. */
export const openThread = async (
  { baseUrl, appId }: Application,
  changed: () => void,
): Promise<CopyThread> => {
  const worker = new Worker(policy?.createScriptURL('') ?? import.meta.url, { type: 'module' })
  const copy = await wrap<typeof openCopy>(worker)({ baseUrl, appId }, proxy(changed))
  return { copy, end: () => worker.terminate() }
}
