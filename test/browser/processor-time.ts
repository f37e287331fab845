import { expect, type Page } from '@playwright/test'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** The processor time, in microseconds. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** Returns the milliseconds of processor time that the page's thread spent on each task of a trace. */
const tasksOf = (trace: Buffer): number[] => {
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const pages = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const threads = new Set(pages.map(threadOf))
  const tasks = events.filter((event) => event.name === 'RunTask' && threads.has(threadOf(event)))
  expect(tasks.length).toBeGreaterThan(0)
  return tasks.map(({ tdur = 0 }) => tdur / 1000)
}

/**
 * Takes a step, and returns how many milliseconds the longest task of the page took meanwhile, and all of them: in processor
 * time, since on a busy machine even a short task can take long by the clock.
 */
export const processorTime = async (page: Page, step: () => Promise<unknown>) => {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] })
  await step()
  const tasks = tasksOf(await browser.stopTracing())
  return {
    longest: tasks.reduce((longest, each) => Math.max(longest, each), 0),
    all: tasks.reduce((sum, each) => sum + each, 0),
  }
}
