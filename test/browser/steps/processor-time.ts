import { expect, type Page } from '@playwright/test'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** The processor time, in microseconds. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** Returns the processor time of each task of the page's thread in a trace, in milliseconds. */
const taskTimes = (trace: Buffer): number[] => {
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const pages = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const threads = new Set(pages.map(threadOf))
  const tasks = events.filter((event) => event.name === 'RunTask' && threads.has(threadOf(event)))
  expect(tasks.length).toBeGreaterThan(0)
  return tasks.map(({ tdur = 0 }) => tdur / 1000)
}

/**
 * Takes a step. Returns the processor time of the longest task that the page ran meanwhile, and of all its tasks together, in
 * milliseconds. By the clock, even a short task can take long on a busy machine.
 */
export const processorTime = async (page: Page, step: () => Promise<unknown>) => {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] })
  await step()
  const times = taskTimes(await browser.stopTracing())
  return {
    longest: times.reduce((longest, time) => Math.max(longest, time), 0),
    total: times.reduce((sum, time) => sum + time, 0),
  }
}
