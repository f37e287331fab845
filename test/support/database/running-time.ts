const TICK = 20
let stalledMillis = 0
let lastTick = performance.now()

setInterval(() => {
  const now = performance.now()
  stalledMillis += Math.max(0, now - lastTick - TICK)
  lastTick = now
}, TICK).unref()

/** In milliseconds. Stops while a busy machine keeps this process from running. */
export const runningMillis = (): number => performance.now() - stalledMillis
