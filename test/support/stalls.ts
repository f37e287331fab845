const TICK = 20
let stalled = 0
let last = performance.now()

setInterval(() => {
  const now = performance.now()
  stalled += Math.max(0, now - last - TICK)
  last = now
}, TICK).unref()

/** Returns a monotonic time in milliseconds that stops while a busy machine keeps this process from running. */
export const runningMillis = (): number => performance.now() - stalled
