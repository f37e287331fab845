import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../client/index.ts'
import { currentService } from '../../shared/store/service.ts'
import { businessUntil, firstMonthOfBusiness } from '../../tools/demo/business.ts'
import { recordDemoBusiness } from '../../tools/demo/record.ts'
import { type LocalService, startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'

beforeAll(() => {
  currentService().log = () => undefined
})

const DATA_DIR = join(temporaryFolder(), 'data')
const file = join(DATA_DIR, 'demo-application.json')
const firstDay = Date.UTC(2026, 10, 26, 12)
const secondDay = Date.UTC(2026, 11, 9, 12)
const FIRST_MONTH = firstMonthOfBusiness(firstDay)

/** Records the demo business at a time, reads from the service, and stops it. */
const startAt = async <Result>(
  now: number,
  read: (service: LocalService) => Promise<Result>,
  args: readonly string[] = [],
): Promise<Result> => {
  const settings = localSettings({ PORT: '0', DATA_DIR }, args)
  const service = await startService(settings)
  try {
    await recordDemoBusiness(service, settings, { now })
    return await read(service)
  } finally {
    await service.stop()
  }
}

const clientOf = ({ baseUrl, demo }: LocalService) =>
  createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key })

const idsIn = async (service: LocalService) => {
  const { customers, invoices } = clientOf(service)
  const include = ['external_id'] as const
  const idsOf = (entities: readonly { readonly external_id: string }[]) =>
    entities.map(({ external_id }) => external_id).sort()
  return {
    customers: idsOf(await Array.fromAsync(customers.all({ include }))),
    invoices: idsOf(await Array.fromAsync(invoices.all({ include }))),
  }
}

const idsUntil = (day: string) => {
  const { customers, invoices } = businessUntil(FIRST_MONTH, day)
  return {
    customers: customers.map(({ id }) => String(id)).sort(),
    invoices: invoices.map(({ id }) => String(id)).sort(),
  }
}

it('fills a new demo application by default', async () => {
  expect(await startAt(firstDay, idsIn)).toEqual(idsUntil('2026-11-26'))
})

it('records at a later start what has been due since then, and nothing else', async () => {
  expect(JSON.parse(readFileSync(file, 'utf8')).business).toEqual({
    first_month: FIRST_MONTH,
    recorded_until: '2026-11-26',
  })
  const { customers } = businessUntil(FIRST_MONTH, '2026-11-26')
  const id = String(customers[0]!.id)
  const erased = await startAt(firstDay, async (service) => {
    await clientOf(service).customers.anonymise(id)
    return clientOf(service).customers.retrieve(id)
  })
  const later = await startAt(secondDay, async (service) => {
    expect(await clientOf(service).customers.retrieve(id)).toEqual(erased)
    return idsIn(service)
  })
  expect(later).toEqual(idsUntil('2026-12-09'))
  expect(later.invoices.length).toBeGreaterThan(idsUntil('2026-11-26').invoices.length)
})

it('completes an interrupted recording at the next start, without changing existing records', async () => {
  const { business, ...credentials } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...credentials, business: { first_month: business.first_month } }))
  expect(await startAt(secondDay, idsIn)).toEqual(idsUntil('2026-12-09'))
})

it('leaves a new demo application empty with --empty, and does not fill it at a later start', async () => {
  rmSync(DATA_DIR, { recursive: true })
  const noRecords = { customers: [], invoices: [] }
  expect(await startAt(firstDay, idsIn, ['--empty'])).toEqual(noRecords)
  expect(await startAt(firstDay, idsIn)).toEqual(noRecords)
})
