import { BillingApiError, type CreateAllSummary, type NotCreated } from './error.ts'
import { createLimiter } from './limiter.ts'
import type { ApiResponse, CreateAllOptions, CreateResult, Creates, Upserted } from './operations.ts'
import type { SendOptions } from './transport.ts'

const TEN_MINUTES = 600_000

/** Returns whether an error concerns only its body, so that others may succeed. */
const isBodyError = (error: unknown): error is BillingApiError | TypeError =>
  [400, 409, 413, 422, 500].includes(error instanceof TypeError ? 400 : (error as BillingApiError).status)

/** Returns the outcome of a create from the headers of its response. */
export const outcomeOf = (headers: ApiResponse<unknown>['headers']): Upserted<unknown>['outcome'] =>
  (headers.get('create-outcome') as Upserted<unknown>['outcome'] | null) ??
  (headers.get('idempotent-replayed') ? 'unchanged' : 'created')

/** Creates an entity for each body; see `Creates.createAll`. */
export const createAll = async <Entity, Body>(
  create: Creates<Entity, Body>['create'],
  bodies: Iterable<Body> | AsyncIterable<Body>,
  options: CreateAllOptions<Entity, Body>,
): Promise<CreateAllSummary<Body>> => {
  const { concurrency = 8, retries = Infinity, retryFor = TEN_MINUTES, onProgress, ...call } = options
  const failed: NotCreated<Body>[] = []
  const summary = { created: 0, updated: 0, unchanged: 0, failed }
  const running = new Set<Promise<void>>()
  let read = 0
  let done = 0
  const limiter = createLimiter(concurrency)
  const each: SendOptions = { ...call, retries, retryFor, limiter }
  const createOne = async (index: number, body: Body): Promise<void> => {
    let result: CreateResult<Entity, Body>
    try {
      const { data: entity, headers } = await create(body, each).withResponse()
      const outcome = outcomeOf(headers)
      summary[outcome] += 1
      result = { index, body, outcome, entity }
    } catch (error) {
      if (!isBodyError(error)) throw error
      result = { index, body, outcome: 'failed', error }
      failed.push(result)
    }
    done += 1
    await onProgress?.(result, done)
  }
  const { signal } = call
  signal?.addEventListener('abort', () => limiter.stop(signal.reason), { signal: limiter.signal })
  try {
    for await (const body of bodies) {
      if (limiter.signal.aborted) break
      const task = createOne(read, body)
        .catch(limiter.stop)
        .finally(() => running.delete(task))
      running.add(task)
      read += 1
      if (!(running.size < concurrency)) await Promise.race(running)
    }
  } catch (reason) {
    limiter.stop(reason)
  }
  await Promise.all(running)
  const { aborted, reason } = limiter.signal
  limiter.stop()
  if (reason instanceof BillingApiError) reason.summary = summary
  if (aborted) throw reason
  return summary
}
