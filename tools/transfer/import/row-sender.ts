import { BillingApiError } from '../../../client/error.ts'
import { isTransient } from '../../../client/retry.ts'
import { invoice } from '../../../shared/resources/invoice.ts'
import { CommandError } from '../../cli/command.ts'
import type { Outcome } from '../counts.ts'
import type { Row, RowResult } from '../row.ts'
import type { Service } from './service.ts'

/** The import ends if the service processes nothing for this long. */
const GIVE_UP_MILLIS = 600_000
/** The statuses with which the service or its firewall (403) refuses a body. */
const refusals: ReadonlySet<number> = new Set([400, 403, 413, 415, 422])

const refusalOf = (error: BillingApiError): Outcome | undefined => {
  if (error.status === 409) return 'conflict'
  if (refusals.has(error.status)) return 'invalid'
  return isTransient(error) || error.status === 500 ? 'failed' : undefined
}

type Line = Readonly<Record<string, unknown>>

/** Returns an invoice's row with the recorded price, or none, in each line for which either side has none. */
const withRecordedPrices = async (row: Row, service: Service): Promise<Row> => {
  const { line_items, ...body } = JSON.parse(row.body) as { readonly line_items: readonly Line[] }
  const found = await service.find(invoice, String(row.id), ['line_items', 'price', 'external_id'])
  const recorded = (found?.line_items ?? []) as Line[]
  const lines = line_items.map((line, index) => {
    const price = recorded[index]?.price as Line | null | undefined
    return line.price_id && price ? line : { ...line, price_id: price?.external_id }
  })
  return { ...row, body: JSON.stringify({ ...body, line_items: lines }) }
}

/** Returns the places of the lines that errors name. */
const originsIn = (details: readonly string[], partOrigins: readonly string[]): Set<string> => {
  const origins = new Set<string>()
  for (const detail of details) {
    const [, index] = /^\w+\[(\d+)\]/.exec(detail) ?? []
    const origin = index === undefined ? undefined : partOrigins[Number(index)]
    if (origin !== undefined) origins.add(origin)
  }
  return origins
}

const hintsFor = ({ partOrigins = [], hints = [] }: Row, details: readonly string[]): string[] => [
  ...[...originsIn(details, partOrigins)].map((origin) => `See ${origin}.`),
  ...hints,
]

/**
 * Creates a row's entity. An invoice from Stripe may have been recorded when other prices were known: if it is refused as a
 * conflict, it is sent again with the prices that it was recorded with. That records nothing, since its id is taken.
 */
const create = async (row: Row, service: Service): Promise<RowResult> => {
  try {
    return await service.create(row)
  } catch (error) {
    if (!row.keepsPrices || !(error instanceof BillingApiError) || error.status !== 409) throw error
    return service.create(await withRecordedPrices(row, service))
  }
}

const invalid = (problem: string): RowResult => ({ outcome: 'invalid', server_id: null, errors: [problem] })

/** What became of a row: its result, or the reason why it is skipped. */
export type Sent = RowResult | { readonly skip: string }

/** Returns what becomes of a row that cannot be sent: it is refused, unless the user has settled it. */
const refused = async ({ settledBy }: Row, problem: string, service: Service): Promise<RowResult> => {
  if (settledBy !== undefined && (await service.isRecorded('invoice', settledBy)))
    return { outcome: 'unchanged', server_id: null, errors: [] }
  return invalid(problem)
}

/** Returns what becomes of a row whose precondition does not hold; undefined for any other row. */
const unmet = async (row: Row, service: Service): Promise<Sent | undefined> => {
  const { precondition } = row
  if (!precondition) return undefined
  const { type, id, isRecorded, otherwise } = precondition
  if ((await service.isRecorded(type, id)) === isRecorded) return undefined
  return 'skip' in otherwise ? otherwise : refused(row, otherwise.problem, service)
}

const process = async (row: Row, service: Service): Promise<Sent> => {
  const notSent = await unmet(row, service)
  if (notSent) return notSent
  if (row.problem !== undefined) return refused(row, row.problem, service)
  const result = await create(row, service)
  return row.isReversal && result.outcome === 'created' ? { ...result, outcome: 'reversed' } : result
}

/**
 * Returns a function that sends a row and returns its result. It throws CommandError for a status that no create returns, and
 * if the service has processed nothing for ten minutes.
 */
export const rowSender = (service: Service) => {
  let lastProcessed = performance.now()
  return async (row: Row): Promise<Sent> => {
    try {
      const sent = await process(row, service)
      lastProcessed = performance.now()
      return sent
    } catch (error) {
      if (!(error instanceof BillingApiError)) throw error
      const { message, errors } = error
      if (!isTransient(error)) lastProcessed = performance.now()
      else if (performance.now() - lastProcessed > GIVE_UP_MILLIS) {
        const seconds = GIVE_UP_MILLIS / 1_000
        throw new CommandError(`${service.name} has processed nothing for ${seconds} s (${message})`, {
          cause: error,
        })
      }
      const outcome = refusalOf(error)
      if (!outcome) throw new CommandError(`${service.name} refuses a request: ${message}`, { cause: error })
      const details = errors.map(({ detail }) => detail)
      const reasons = details.length > 0 ? details : [message]
      return { outcome, server_id: null, errors: [...reasons, ...hintsFor(row, details)] }
    }
  }
}
