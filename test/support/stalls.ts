const TICK = 20
let stalled = 0
let last = performance.now()

setInterval(() => {
  const now = performance.now()
  stalled += Math.max(0, now - last - TICK)
  last = now
}, TICK).unref()

/** How long this process has been kept from running, in milliseconds: what a busy machine adds to a wait of ours. */
export const stalledMillis = (): number => stalled
