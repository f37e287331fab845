const TICK = 20
let stalled = 0
let last = performance.now()

setInterval(() => {
  const now = performance.now()
  stalled += Math.max(0, now - last - TICK)
  last = now
}, TICK).unref()

/** Returns the milliseconds for which a busy machine has kept this process from running. */
export const stalledMillis = (): number => stalled
