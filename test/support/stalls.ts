const TICK = 20
let stalled = 0
let last = performance.now()

setInterval(() => {
  const now = performance.now()
  stalled += Math.max(0, now - last - TICK)
  last = now
}, TICK).unref()

/** Returns the milliseconds for which this process has run, without those for which a busy machine kept it from running. */
export const runningMillis = (): number => performance.now() - stalled
