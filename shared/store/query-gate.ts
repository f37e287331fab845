/**
 * The maximum number of concurrent queries of a process. More would wait for each other's sockets and handshakes
 * within the time of their attempts, and fail together.
 */
export const MAX_QUERIES = 16

let underWay = 0
const waiting: (() => void)[] = []

/** Runs a query when fewer than the maximum are running, in the order of the calls. */
export const inTurn = async <T>(query: () => Promise<T>): Promise<T> => {
  if (underWay === MAX_QUERIES) await new Promise<void>((resolve) => waiting.push(resolve))
  else underWay += 1
  try {
    return await query()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else underWay -= 1
  }
}
