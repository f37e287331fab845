import { AsyncLocalStorage } from 'node:async_hooks'
import { createClient } from '../../client/index.ts'
import { currentService } from '../../shared/store/service.ts'
import { type Business, businessUntil, firstMonthOfBusiness } from '../business/business.ts'
import { type Day, dayOf } from '../business/calendar.ts'
import { CommandError } from '../cli/command.ts'
import type { ShowProgress } from '../cli/progress.ts'
import { keepDemoApplication, type RecordedBusiness } from './demo.ts'
import { fetchInProcess } from './server.ts'
import type { LocalService } from './service.ts'
import type { LocalSettings } from './settings.ts'

const CONFLICT = 409

/** Undefined if none is to be recorded. */
const businessFor = (
  { demo, isNewDemo }: LocalService,
  { empty, scenario }: LocalSettings,
  today: Day,
): RecordedBusiness | undefined => {
  if (empty) return undefined
  if (demo.business) return demo.business
  return isNewDemo || scenario ? { first_month: firstMonthOfBusiness(today) } : undefined
}

/** All records if `day` is undefined. */
const recordsAfter = (day: Day | undefined, business: Business): Partial<Business> => {
  if (day === undefined) return business
  const isLater = ({ created }: { readonly created: Day }) => created > day
  return { customers: business.customers.filter(isLater), invoices: business.invoices.filter(isLater) }
}

interface Recording {
  /** By default now, in milliseconds since the epoch. */
  readonly now?: number
  readonly signal?: AbortSignal
  readonly show?: ShowProgress
}

/** Creates the missing entities through the API. An entity that exists with other content stays as it is. */
const createMissing = async (
  { baseUrl, demo }: LocalService,
  records: Partial<Business>,
  { signal, show = () => undefined }: Recording,
): Promise<number> => {
  const client = createClient({
    baseUrl,
    appId: demo.app_id,
    apiKey: demo.api_key,
    fetch: fetchInProcess,
  })
  const { products = [], prices = [], discounts = [], customers = [], invoices = [] } = records
  const count = [products, prices, discounts, customers, invoices].flat().length
  let done = 0
  const options = {
    ...(signal ? { signal } : {}),
    onProgress: () => {
      done += 1
      show(`Recording the demo business: ${done} of ${count} records`)
    },
  }
  const summaries = [
    await client.products.createAll(products, options),
    await client.prices.createAll(prices, options),
    await client.discounts.createAll(discounts, options),
    await client.customers.createAll(customers, options),
    await client.invoices.createAll(invoices, options),
  ]
  const refused = summaries
    .flatMap(({ failed }) => failed)
    .find(({ error }) => !('status' in error && error.status === CONFLICT))
  if (refused) throw new CommandError(`the demo business cannot be recorded: ${refused.error.message}`)
  return count
}

/** While it runs, other requests of the service are logged as usual. */
const withoutLog = async <T>(work: () => Promise<T>): Promise<T> => {
  const current = currentService()
  const { log } = current
  const unlogged = new AsyncLocalStorage<true>()
  current.log = (line) => {
    if (!unlogged.getStore()) log(line)
  }
  try {
    return await unlogged.run(true, work)
  } finally {
    current.log = log
  }
}

/**
 * Records the demo business in the demo application, up to the day of `now`.
 * Records all of it if the application is new or the settings ask for it, and at later starts only the days
 * since the previous start. An interrupted recording is completed at the next start. The requests are not
 * logged. Returns the number of records. Throws CommandError if a request is refused, and the reason of the signal once it is aborted.
 */
export const recordDemoBusiness = async (
  service: LocalService,
  settings: LocalSettings,
  recording: Recording = {},
): Promise<number> => {
  const { now = Date.now() } = recording
  const today = dayOf(now)
  const business = businessFor(service, settings, today)
  const { first_month, recorded_until } = business ?? {}
  if (first_month === undefined || (recorded_until !== undefined && recorded_until >= today)) return 0
  const { app_id, api_key } = service.demo
  const keepState = (state: RecordedBusiness) =>
    keepDemoApplication(settings, { app_id, api_key, business: state })
  keepState({ first_month, recorded_until })
  const records = recordsAfter(recorded_until, businessUntil(first_month, today))
  const count = await withoutLog(() => createMissing(service, records, recording))
  keepState({ first_month, recorded_until: today })
  return count
}
