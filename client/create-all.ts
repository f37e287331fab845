import { BillingApiError, type CreateAllSummary, type NotCreated } from './error.ts'
import { createLimiter } from './limiter.ts'
import type { ApiResponse, CreateAllOptions, CreateResult, Creates, Upserted } from './operations.ts'
import type { SendOptions } from './transport.ts'

const DEFAULT_CONCURRENCY = 8
const DEFAULT_RETRY_FOR_MILLIS = 600_000

/** The statuses of responses that concern only the body that was sent. A 500 concerns only the body if retries return it too. */
const BODY_STATUSES = [400, 409, 413, 422, 500]

/** Returns whether an error concerns only its body, so that other bodies may succeed. */
const isBodyError = (error: unknown): error is BillingApiError | TypeError =>
  error instanceof TypeError || (error instanceof BillingApiError && BODY_STATUSES.includes(error.status))

/** Returns the outcome of a create from the headers of its response. */
export const outcomeOf = (headers: ApiResponse<unknown>['headers']): Upserted<unknown>['outcome'] => {
  const outcome = headers.get('create-outcome') as Upserted<unknown>['outcome'] | null
  if (outcome !== null) return outcome
  return headers.get('idempotent-replayed') ? 'unchanged' : 'created'
}

/** Creates an entity for each body; see `Creates.createAll`. */
export const createAll = async <Entity, Body>(
  create: Creates<Entity, Body>['create'],
  bodies: Iterable<Body> | AsyncIterable<Body>,
  options: CreateAllOptions<Entity, Body>,
): Promise<CreateAllSummary<Body>> => {
  const { concurrency = DEFAULT_CONCURRENCY, onProgress, ...callOptions } = options
  const { retries = Number.POSITIVE_INFINITY, retryFor = DEFAULT_RETRY_FOR_MILLIS } = options
  const limiter = createLimiter(concurrency)
  const { signal: stopped, stop } = limiter
  const sendOptions: SendOptions = { ...callOptions, retries, retryFor, limiter }
  const summary = { created: 0, updated: 0, unchanged: 0, failed: [] as NotCreated<Body>[] }
  const running = new Set<Promise<void>>()
  let done = 0

  const createOne = async (index: number, body: Body): Promise<CreateResult<Entity, Body>> => {
    try {
      const { data: entity, headers } = await create(body, sendOptions).withResponse()
      const outcome = outcomeOf(headers)
      summary[outcome] += 1
      return { index, body, outcome, entity }
    } catch (error) {
      if (error === stopped.reason || !isBodyError(error)) throw error
      const refused: NotCreated<Body> = { index, body, outcome: 'failed', error }
      summary.failed.push(refused)
      return refused
    }
  }
  const createAndReport = async (index: number, body: Body): Promise<void> => {
    const result = await createOne(index, body)
    done += 1
    await onProgress?.(result, done)
  }
  const createEach = async () => {
    let index = 0
    for await (const body of bodies) {
      if (stopped.aborted) return
      const task = createAndReport(index, body)
        .catch(stop)
        .finally(() => running.delete(task))
      running.add(task)
      index += 1
      if (running.size >= concurrency) await Promise.race(running)
      if (stopped.aborted) return
    }
  }

  // A source may be idle for a long time, so a stop does not wait for its next body. The rejection only ends the race below: the
  // limiter keeps the reason of the first stop.
  const stopping = new Promise((_, reject) => stopped.addEventListener('abort', reject))
  const { signal } = options
  const stopBySignal = () => stop(signal?.reason)
  signal?.addEventListener('abort', stopBySignal, { signal: stopped })
  if (signal?.aborted) stopBySignal()
  await Promise.race([createEach(), stopping]).catch(stop)
  await Promise.all(running)
  if (stopped.reason instanceof BillingApiError) stopped.reason.summary = summary
  stopped.throwIfAborted()
  // Removes the listener from the caller's signal.
  stop()
  return summary
}
