import { expose } from 'comlink'
import { type Desk, openDesk, type Tabs } from './desk.ts'
import { type Application, openKept } from './kept.ts'

/** The copy's own thread: what is read, kept and counted there does not hold up the page. */
const startDesk = (of: Application, changed: () => void): Promise<Desk> =>
  openKept(of).then((kept) => {
    const tabs = new BroadcastChannel(`billing ${of.baseUrl} ${of.appId}`) as Tabs
    return openDesk({ kept, tabs, changed })
  })

let desk: Promise<Desk> | undefined

const copy = {
  open: async (of: Application, changed: () => void): Promise<void> => {
    desk = startDesk(of, changed)
    await desk
  },
  extent: async () => (await desk!).extent(),
  bookmark: async (...given: Parameters<Desk['bookmark']>) => (await desk!).bookmark(...given),
  write: async (...given: Parameters<Desk['write']>) => (await desk!).write(...given),
  save: async (...given: Parameters<Desk['save']>) => (await desk!).save(...given),
  answer: async (...given: Parameters<Desk['answer']>) => (await desk!).answer(...given),
}

export type Copy = typeof copy

/** Serves the copy to the page that started this thread. */
export const serveCopy = (): void => expose(copy)
