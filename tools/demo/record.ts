import { createClient } from '../../client/index.ts'
import { currentService } from '../../shared/store/service.ts'
import { CommandError } from '../cli/command.ts'
import { keepDemoApplication, type RecordedBusiness } from '../local/demo.ts'
import { fetchInProcess } from '../local/server.ts'
import type { LocalService } from '../local/service.ts'
import type { LocalSettings } from '../local/settings.ts'
import type { Seed } from '../testing/options.ts'
import { type Business, businessUntil, firstMonthOfBusiness } from './business.ts'
import type { Day } from './calendar.ts'

const CONFLICT = 409

/** Undefined if none is to be recorded. */
const businessFor = (
  { demo, isNewDemo }: LocalService,
  { empty, scenario }: LocalSettings,
  now: number,
): RecordedBusiness | undefined => {
  if (empty) return undefined
  if (demo.business) return demo.business
  return isNewDemo || scenario ? { first_month: firstMonthOfBusiness(now) } : undefined
}

/** All records if `day` is undefined. */
const recordsAfter = (day: Day | undefined, business: Business): Seed => {
  if (day === undefined) return business
  const isLater = ({ created }: { readonly created: Day }) => created > day
  return { customers: business.customers.filter(isLater), invoices: business.invoices.filter(isLater) }
}

/** Creates the missing entities through the API. An entity that exists with other content stays as it is. */
const createMissing = async ({ baseUrl, demo }: LocalService, seed: Seed): Promise<void> => {
  const fetch = fetchInProcess()
  const client = createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key, fetch })
  const summaries = [
    await client.products.createAll(seed.products ?? []),
    await client.prices.createAll(seed.prices ?? []),
    await client.discounts.createAll(seed.discounts ?? []),
    await client.customers.createAll(seed.customers ?? []),
    await client.invoices.createAll(seed.invoices ?? []),
  ]
  const refused = summaries
    .flatMap(({ failed }) => failed)
    .find(({ error }) => !('status' in error && error.status === CONFLICT))
  if (refused) throw new CommandError(`the demo business cannot be recorded: ${refused.error.message}`)
}

/**
 * Records the demo business in the demo application, up to the day of `now` (milliseconds since the epoch).
 * Records all of it if the application is new or the settings ask for it, and at later starts only the days
 * since the previous start. An interrupted recording is completed at the next start. The requests are not
 * logged. Throws CommandError if a request fails.
 */
export const recordDemoBusiness = async (
  service: LocalService,
  settings: LocalSettings,
  now = Date.now(),
): Promise<void> => {
  const business = businessFor(service, settings, now)
  const today = new Date(now).toISOString().slice(0, 10)
  const { first_month, recorded_until } = business ?? {}
  if (first_month === undefined || (recorded_until !== undefined && recorded_until >= today)) return
  const { app_id, api_key } = service.demo
  const keepState = (state: RecordedBusiness) =>
    keepDemoApplication(settings, { app_id, api_key, business: state })
  keepState({ first_month, recorded_until })
  const current = currentService()
  const { log } = current
  current.log = () => undefined
  try {
    await createMissing(service, recordsAfter(recorded_until, businessUntil(first_month, today)))
  } finally {
    current.log = log
  }
  keepState({ first_month, recorded_until: today })
}
