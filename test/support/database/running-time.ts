/** The interval of the timer in milliseconds. */
const TICK = 20
/** The milliseconds by which ticks were late so far. */
let stalledMillis = 0
let lastTick = performance.now()

setInterval(() => {
  const now = performance.now()
  stalledMillis += Math.max(0, now - lastTick - TICK)
  lastTick = now
}, TICK).unref()

/** Returns a monotonic time in milliseconds that stops while a busy machine keeps this process from running. */
export const runningMillis = (): number => performance.now() - stalledMillis
