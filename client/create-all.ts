import { BillingApiError, type CreateAllSummary, type NotCreated } from './error.ts'
import { createLimiter } from './limiter.ts'
import type { ApiResponse, CreateAllOptions, CreateResult, Creates, Upserted } from './operations.ts'
import type { SendOptions } from './transport.ts'

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
  const { concurrency = 8, onProgress, ...call } = options
  const summary = { created: 0, updated: 0, unchanged: 0, failed: [] as NotCreated<Body>[] }
  const running = new Set<Promise<void>>()
  let read = 0
  let done = 0
  const limiter = createLimiter(concurrency)
  const { signal: stopped, stop } = limiter
  const createOne = async (index: number, body: Body): Promise<void> => {
    let result: CreateResult<Entity, Body>
    try {
      const { data: entity, headers } = await create(body, { ...call, limiter } as SendOptions).withResponse()
      result = { index, body, outcome: outcomeOf(headers), entity }
      summary[result.outcome] += 1
    } catch (error) {
      if (error === stopped.reason || !isBodyError(error)) throw error
      result = { index, body, outcome: 'failed', error }
      summary.failed.push(result)
    }
    done += 1
    await onProgress?.(result, done)
  }
  const sendAll = async () => {
    for await (const body of bodies) {
      if (stopped.aborted) break
      const task = createOne(read++, body)
        .catch(stop)
        .finally(() => running.delete(task))
      running.add(task)
      if (!(running.size < concurrency)) await Promise.race(running)
      if (stopped.aborted) break
    }
  }
  // A source may be idle for long, so its next body is not waited for.
  const stopping = new Promise((_, reject) => stopped.addEventListener('abort', reject))
  const { signal } = call
  const end = () => stop(signal!.reason)
  signal?.addEventListener('abort', end, { signal: stopped })
  if (signal?.aborted) end()
  await Promise.race([sendAll(), stopping]).catch(stop)
  await Promise.all(running)
  if (stopped.reason instanceof BillingApiError) stopped.reason.summary = summary
  stopped.throwIfAborted()
  stop()
  return summary
}
