import { proxy, type Remote, wrap } from 'comlink'
import type { Application } from './copy/database.ts'
import type { Answer, Asking, Question } from './copy/local-copy.ts'
import type { Copy } from './copy/worker.ts'

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

/** The copy in its own thread. */
export interface CopyThread extends Pick<Remote<Copy>, 'extent' | 'bookmark' | 'write' | 'save'> {
  answer<Name extends Question>(question: Name, asking: Asking<Name>): Promise<Answer<Name>>
  end(): void
}

/** Opens the copy of an application in a thread of its own, which runs this same script. `changed` is called after another tab's saves. */
export const openThread = async (of: Application, changed: () => void): Promise<CopyThread> => {
  const url = policy?.createScriptURL('') ?? import.meta.url
  const worker = new Worker(url, { type: 'module' })
  const copy = wrap<Copy>(worker)
  await copy.open({ baseUrl: of.baseUrl, appId: of.appId }, proxy(changed))
  return {
    extent: copy.extent,
    bookmark: copy.bookmark,
    write: copy.write,
    save: copy.save,
    answer: (question, asking) => copy.answer(question, asking) as Promise<never>,
    end: () => worker.terminate(),
  }
}
