import { BillingApiError } from '../../../client/error.ts'
import { isTransient } from '../../../client/retry.ts'
import { isRecord, type Values } from '../../../shared/contract/schema.ts'
import { invoice } from '../../../shared/resources/invoice.ts'
import { CommandError } from '../../cli/command.ts'
import { idOf, isRefused, type Outcome, type Result, type Row } from '../row.ts'
import type { ImportService } from './service.ts'

/** The import ends if the service processes no request for this long. */
const GIVE_UP_MILLIS = 600_000

/** The statuses with which the service, or its firewall (403), refuses a body. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 403, 413, 415, 422])

/** Undefined for an error that is not about the row. */
const outcomeOfError = (error: BillingApiError): Outcome | undefined => {
  if (error.status === 409) return 'conflict'
  if (refusalStatuses.has(error.status)) return 'invalid'
  return isTransient(error) || error.status === 500 ? 'failed' : undefined
}

/** The places of the listed objects to which errors such as `line_items[2].amount must be …` refer. */
const placesOfParts = (errors: readonly string[], partPlaces: readonly string[]): Set<string> => {
  const places = new Set<string>()
  for (const error of errors) {
    const [, index] = /^\w+\[(\d+)\]/.exec(error) ?? []
    const place = index === undefined ? undefined : partPlaces[Number(index)]
    if (place !== undefined) places.add(place)
  }
  return places
}

const failedResult = (
  outcome: Outcome,
  { message, errors }: BillingApiError,
  { partPlaces = [], hints = [] }: Row,
): Result => {
  const details = errors.map(({ detail }) => detail)
  const reasons = details.length > 0 ? details : [message]
  const places = [...placesOfParts(details, partPlaces)].map((place) => `See ${place}.`)
  return { outcome, server_id: null, errors: [...reasons, ...places, ...hints] }
}

const mapLineItems = (row: Row, convert: (line: Values, index: number) => Values): Row => {
  const data = row.data as Values
  const lines = (data.line_items ?? []) as readonly Values[]
  return { ...row, data: { ...data, line_items: lines.map(convert) } }
}

/** Leaves the prices that were refused out of an invoice, because it cannot refer to them. */
const withoutRefusedPrices = (row: Row, refusedPrices: ReadonlySet<string>): Row => {
  if (!row.keepsPrices || refusedPrices.size === 0) return row
  return mapLineItems(row, (line) => {
    const { price_id, ...others } = line
    return refusedPrices.has(String(price_id)) ? others : line
  })
}

/**
 * Gives the line items of a recorded invoice the prices that they were recorded with. A line item keeps its own price only if it was
 * recorded with a price too: if these two differ, the row remains in conflict.
 */
const withRecordedPrices = async (row: Row, service: ImportService): Promise<Row> => {
  const entity = await service.find(invoice, String(idOf(row)), ['line_items', 'price', 'external_id'])
  const recorded = (entity?.line_items ?? []) as readonly Values[]
  return mapLineItems(row, (line, index) => {
    const price = recorded[index]?.price
    if (line.price_id && price) return line
    return { ...line, price_id: isRecord(price) ? price.external_id : undefined }
  })
}

/**
 * Creates the entity of a row. An invoice from Stripe may have been recorded when other prices were known: if it is in conflict,
 * it is sent again with the prices that it was recorded with. Since its id is taken, this records nothing.
 */
const create = async (row: Row, service: ImportService): Promise<Result> => {
  try {
    return await service.create(row)
  } catch (error) {
    const isConflict = error instanceof BillingApiError && error.status === 409
    if (!row.keepsPrices || !isConflict) throw error
    return service.create(await withRecordedPrices(row, service))
  }
}

/** The result of a row that is not sent: from its reader, or because its precondition does not hold. */
const resultUnsent = async (
  { result, precondition, settlementId }: Row,
  service: ImportService,
): Promise<Result | undefined> => {
  const isUnmet =
    precondition !== undefined &&
    (await service.isRecorded(precondition.type, precondition.id)) !== precondition.isRecorded
  const unsent = isUnmet ? precondition.otherwise : result
  // The user has recorded what an invoice that no rule can decide is settled with.
  const isSettled =
    unsent?.outcome === 'invalid' &&
    settlementId !== undefined &&
    (await service.isRecorded(invoice.name, settlementId))
  return isSettled ? { outcome: 'unchanged', server_id: null, errors: [] } : unsent
}

const processRow = async (row: Row, service: ImportService): Promise<Result> => {
  const unsent = await resultUnsent(row, service)
  if (unsent) return unsent
  const result = await create(row, service)
  return row.isReversal && result.outcome === 'created' ? { ...result, outcome: 'reversed' } : result
}

/**
 * Returns a function that sends a row, unless its reader or its precondition has decided its result. The function throws
 * CommandError if the service responds with a status that no create returns, or has processed no request for ten minutes.
 */
export const rowSender = (service: ImportService) => {
  const refusedPrices = new Set<string>()
  let lastProcessed = performance.now()
  const send = async (row: Row): Promise<Result> => {
    try {
      const result = await processRow(withoutRefusedPrices(row, refusedPrices), service)
      lastProcessed = performance.now()
      return result
    } catch (error) {
      if (!(error instanceof BillingApiError)) throw error
      const { message } = error
      if (!isTransient(error)) lastProcessed = performance.now()
      else if (performance.now() - lastProcessed > GIVE_UP_MILLIS) {
        const minutes = GIVE_UP_MILLIS / 60_000
        throw new CommandError(
          `${service.url} has processed no request for ${minutes} minutes (${message})`,
          { cause: error },
        )
      }
      const outcome = outcomeOfError(error)
      if (!outcome) throw new CommandError(`${service.url} refuses a request: ${message}`, { cause: error })
      return failedResult(outcome, error, row)
    }
  }
  return async (row: Row): Promise<Result> => {
    const result = await send(row)
    if (row.type === 'price' && isRefused(result.outcome)) refusedPrices.add(String(idOf(row)))
    return result
  }
}
