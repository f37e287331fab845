import { outcomeOf } from '../../../client/create-all.ts'
import { BillingApiError } from '../../../client/error.ts'
import { isTransient } from '../../../client/retry.ts'
import { invoice } from '../../../shared/resources/invoice.ts'
import { CommandError } from '../../cli/command.ts'
import type { Outcome } from '../counts.ts'
import type { Row, RowResult } from '../row.ts'
import { entityIn, type Reply, type Service } from './service.ts'

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
  const found = await service.find(invoice, String(row.id), 'line_items,price,external_id')
  const recorded = (found?.line_items ?? []) as Line[]
  const lines = line_items.map((line, index) => {
    const price = recorded[index]?.price as Line | null | undefined
    return line.price_id && price ? line : { ...line, price_id: price?.external_id }
  })
  return { ...row, body: JSON.stringify({ ...body, line_items: lines }) }
}

const hintsFor = ({ partOrigins = [], hints = [] }: Row, details: readonly string[]): string[] => {
  const indexes = new Set(details.flatMap((detail) => /^\w+\[(\d+)\]/.exec(detail)?.[1] ?? []))
  const origins = [...indexes].flatMap((index) => partOrigins[Number(index)] ?? [])
  return [...origins.map((origin) => `See ${origin}.`), ...hints]
}

/**
 * Creates a row's entity. An invoice from Stripe may have been recorded when other prices were known: if it is refused as a
 * conflict, it is sent again with the prices that it was recorded with. That records nothing, since its id is taken.
 */
const create = async (row: Row, service: Service): Promise<Reply> => {
  try {
    return await service.create(row)
  } catch (error) {
    if (!row.keepsPrices || !(error instanceof BillingApiError) || error.status !== 409) throw error
    return service.create(await withRecordedPrices(row, service))
  }
}

/**
 * Returns a function that sends a row and returns its result. It throws CommandError for a status that no create returns, and
 * if the service has processed nothing for ten minutes.
 */
export const rowSender = (service: Service) => {
  let lastProcessed = performance.now()
  return async (row: Row): Promise<RowResult> => {
    try {
      const reply = await create(row, service)
      lastProcessed = performance.now()
      return {
        outcome: outcomeOf(reply.headers),
        server_id: entityIn(reply, row.type as string).id,
        errors: [],
      }
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
      return {
        outcome,
        server_id: null,
        errors: [...(details.length > 0 ? details : [message]), ...hintsFor(row, details)],
      }
    }
  }
}
