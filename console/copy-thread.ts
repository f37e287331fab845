import { proxy, type Remote, wrap } from 'comlink'
import type { Application } from './copy/database.ts'
import type { LocalCopy } from './copy/local-copy.ts'
import type { OpenCopy } from './copy/worker.ts'

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

/** Opens the copy of an application in a thread of its own, which runs this same script. `changed` is called after another tab's saves. */
export const openThread = async (
  { baseUrl, appId }: Application,
  changed: () => void,
): Promise<CopyThread> => {
  const worker = new Worker(policy?.createScriptURL('') ?? import.meta.url, { type: 'module' })
  const copy = await wrap<OpenCopy>(worker)({ baseUrl, appId }, proxy(changed))
  return { copy, end: () => worker.terminate() }
}
