import { BillingApiError } from '../../../client/error.ts'
import { isTransient } from '../../../client/retry.ts'
import { invoice } from '../../../shared/resources/invoice.ts'
import { CommandError } from '../../cli/command.ts'
import { withRecordedPrices } from './invoice-prices.ts'
import type { Row } from './row.ts'
import type { Outcome, RowResult } from './row-result.ts'
import type { Service } from './service.ts'

/** The import ends if the service processes no request for this long. */
const GIVE_UP_MILLIS = 600_000

/** The statuses with which the service, or its firewall (403), refuses a body. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 403, 413, 415, 422])

/** Returns the outcome of a row whose create failed with this error; undefined for an error that is not about the row. */
const outcomeOfError = (error: BillingApiError): Outcome | undefined => {
  if (error.status === 409) return 'conflict'
  if (refusalStatuses.has(error.status)) return 'invalid'
  return isTransient(error) || error.status === 500 ? 'failed' : undefined
}

/** Returns the places of the listed objects to which errors such as `line_items[2].amount must be …` refer. */
const placesOfParts = (errors: readonly string[], partPlaces: readonly string[]): Set<string> => {
  const places = new Set<string>()
  for (const error of errors) {
    const [, index] = /^\w+\[(\d+)\]/.exec(error) ?? []
    const place = index === undefined ? undefined : partPlaces[Number(index)]
    if (place !== undefined) places.add(place)
  }
  return places
}

/** Returns the result of a row whose create failed, with advice for the user. */
const failedResult = (
  outcome: Outcome,
  { message, errors }: BillingApiError,
  { partPlaces = [], hints = [] }: Row,
): RowResult => {
  const details = errors.map(({ detail }) => detail)
  const reasons = details.length > 0 ? details : [message]
  const places = [...placesOfParts(details, partPlaces)].map((place) => `See ${place}.`)
  return { outcome, server_id: null, errors: [...reasons, ...places, ...hints] }
}

/**
 * Creates the entity of a row. An invoice from Stripe may have been recorded when other prices were known: if it is in conflict,
 * it is sent again with the prices that it was recorded with. Since its id is taken, this records nothing.
 */
const create = async (row: Row, service: Service): Promise<RowResult> => {
  try {
    return await service.create(row)
  } catch (error) {
    const isConflict = error instanceof BillingApiError && error.status === 409
    if (!row.keepsPrices || !isConflict) throw error
    return service.create(await withRecordedPrices(row, service))
  }
}

/** Returns the result of a row with a problem: `unchanged` if the user has recorded its settlement, otherwise `invalid`. */
const resultOfProblem = async (
  { settlementId }: Row,
  problem: string,
  service: Service,
): Promise<RowResult> => {
  const isSettled = settlementId !== undefined && (await service.isRecorded(invoice.name, settlementId))
  return isSettled
    ? { outcome: 'unchanged', server_id: null, errors: [] }
    : { outcome: 'invalid', server_id: null, errors: [problem] }
}

/** The result of a row, or the reason why it was skipped. */
export type SentRow = RowResult | { readonly skipReason: string }

/** Returns the result of a row whose precondition does not hold. Otherwise returns undefined. */
const checkPrecondition = async (row: Row, service: Service): Promise<SentRow | undefined> => {
  if (!row.precondition) return undefined
  const { type, id, isRecorded, otherwise } = row.precondition
  if ((await service.isRecorded(type, id)) === isRecorded) return undefined
  return 'skipReason' in otherwise ? otherwise : resultOfProblem(row, otherwise.problem, service)
}

/** Sends a row, unless its precondition does not hold or it has a problem. */
const processRow = async (row: Row, service: Service): Promise<SentRow> => {
  const unsent = await checkPrecondition(row, service)
  if (unsent) return unsent
  if (row.problem !== undefined) return resultOfProblem(row, row.problem, service)
  const result = await create(row, service)
  return row.isReversal && result.outcome === 'created' ? { ...result, outcome: 'reversed' } : result
}

/**
 * Returns a function that sends a row and returns its result. The function throws CommandError if the service responds with a
 * status that no create returns, or has processed no request for ten minutes.
 */
export const rowSender = (service: Service) => {
  let lastProcessed = performance.now()
  return async (row: Row): Promise<SentRow> => {
    try {
      const sent = await processRow(row, service)
      lastProcessed = performance.now()
      return sent
    } catch (error) {
      if (!(error instanceof BillingApiError)) throw error
      const { message } = error
      if (!isTransient(error)) lastProcessed = performance.now()
      else if (performance.now() - lastProcessed > GIVE_UP_MILLIS) {
        const minutes = GIVE_UP_MILLIS / 60_000
        throw new CommandError(
          `${service.url} has processed no request for ${minutes} minutes (${message})`,
          {
            cause: error,
          },
        )
      }
      const outcome = outcomeOfError(error)
      if (!outcome) throw new CommandError(`${service.url} refuses a request: ${message}`, { cause: error })
      return failedResult(outcome, error, row)
    }
  }
}
