import type { BillingApiError } from './error.ts'
import type { CreateAllOptions, CreateAllSummary, CreateResult, Creates, NotCreated } from './operations.ts'

/** Whether an error concerns a body alone, so that the next body may succeed. */
const isOfBody = (error: unknown): error is BillingApiError | TypeError =>
  [400, 409, 413, 422, 500].includes(error instanceof TypeError ? 400 : (error as BillingApiError).status)

/** Creates what `bodies` yields, and reads it no faster than it sends. */
export const createAll = async <Entity, Body>(
  create: Creates<Entity, Body>['create'],
  bodies: Iterable<Body> | AsyncIterable<Body>,
  options: CreateAllOptions<Entity, Body>,
): Promise<CreateAllSummary<Body>> => {
  const { concurrency = 8, onProgress, ...call } = options
  const failed: NotCreated<Body>[] = []
  const summary = { created: 0, unchanged: 0, failed }
  const running = new Set<Promise<void>>()
  let read = 0
  let done = 0
  const stopped: unknown[] = []
  const createOne = async (index: number, body: Body): Promise<void> => {
    let result: CreateResult<Entity, Body>
    try {
      const { data: entity, headers } = await create(body, call).withResponse()
      const outcome = headers.get('idempotent-replayed') ? 'unchanged' : 'created'
      summary[outcome] += 1
      result = { index, body, outcome, entity }
    } catch (error) {
      if (!isOfBody(error)) throw error
      result = { index, body, outcome: 'failed', error }
      failed.push(result)
    }
    done += 1
    await onProgress?.(result, done)
  }
  const stop = (reason: unknown) => void stopped.push(reason)
  try {
    for await (const body of bodies) {
      if (stopped.length) break
      const task = createOne(read, body)
        .catch(stop)
        .finally(() => running.delete(task))
      running.add(task)
      read += 1
      if (!(running.size < concurrency)) await Promise.race(running)
    }
  } catch (reason) {
    stop(reason)
  }
  await Promise.all(running)
  if (stopped.length) throw stopped[0]
  return summary
}
