import { expose, proxy } from 'comlink'
import { type Application, openDatabase } from './database.ts'
import { openLocalCopy, type Tabs } from './local-copy.ts'

/** Opens the copy of an application, whose functions the page then calls. `changed` is called after another tab's saves. */
const openCopy = async (of: Application, changed: () => void) => {
  const database = await openDatabase(of)
  const tabs = new BroadcastChannel(`billing ${of.baseUrl} ${of.appId}`) as Tabs
  return proxy(await openLocalCopy({ database, tabs, changed }))
}

export type OpenCopy = typeof openCopy

/** Lets the page that started this thread open the copy in it: reading, storing and counting do not block the page. */
export const serveCopy = (): void => expose(openCopy)
