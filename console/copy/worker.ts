import { expose } from 'comlink'
import { type Application, openDatabase } from './database.ts'
import { type LocalCopy, openLocalCopy, type Tabs } from './local-copy.ts'

/** Runs the copy in a worker, so that reading, storing and counting do not block the page. */
const startCopy = (of: Application, changed: () => void): Promise<LocalCopy> =>
  openDatabase(of).then((database) => {
    const tabs = new BroadcastChannel(`billing ${of.baseUrl} ${of.appId}`) as Tabs
    return openLocalCopy({ database, tabs, changed })
  })

let copy: Promise<LocalCopy> | undefined

const served = {
  open: async (of: Application, changed: () => void): Promise<void> => {
    copy = startCopy(of, changed)
    await copy
  },
  extent: async () => (await copy!).extent(),
  bookmark: async (...given: Parameters<LocalCopy['bookmark']>) => (await copy!).bookmark(...given),
  write: async (...given: Parameters<LocalCopy['write']>) => (await copy!).write(...given),
  save: async (...given: Parameters<LocalCopy['save']>) => (await copy!).save(...given),
  answer: async (...given: Parameters<LocalCopy['answer']>) => (await copy!).answer(...given),
}

export type Copy = typeof served

/** Serves the copy to the page that started this thread. */
export const serveCopy = (): void => expose(served)
