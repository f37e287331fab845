import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../client/index.ts'
import { currentService } from '../../shared/store/service.ts'
import { businessUntil, firstMonthOfBusiness } from '../../tools/business/business.ts'
import type { Day } from '../../tools/business/calendar.ts'
import { recordDemoBusiness } from '../../tools/local/record-business.ts'
import { type LocalService, startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'

// A business of a few months takes a tenth of the time to record.
jest.mock('../../tools/business/business.ts', () => {
  const business = jest.requireActual<typeof import('../../tools/business/business.ts')>(
    '../../tools/business/business.ts',
  )
  return { ...business, firstMonthOfBusiness: (today: Day) => business.firstMonthOfBusiness(today) + 26 }
})

beforeAll(() => {
  currentService().log = () => undefined
})

const DATA_DIR = join(temporaryFolder(), 'data')
const file = join(DATA_DIR, 'demo-application.json')
const firstDay = Date.UTC(2026, 10, 26, 12)
const secondDay = Date.UTC(2026, 11, 9, 12)
const FIRST_MONTH = firstMonthOfBusiness('2026-11-26')

interface Start extends Pick<NonNullable<Parameters<typeof recordDemoBusiness>[2]>, 'signal' | 'show'> {
  readonly args?: readonly string[]
}

/** Records the demo business at a time, reads from the service, and stops it. */
const startAt = async <Result>(
  now: number,
  read: (service: LocalService) => Promise<Result>,
  { args = [], ...recording }: Start = {},
): Promise<Result> => {
  const settings = localSettings({ PORT: '0', DATA_DIR }, args)
  const service = await startService(settings)
  try {
    await recordDemoBusiness(service, settings, { ...recording, now })
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

const { customers: dueCustomers } = businessUntil(FIRST_MONTH, '2026-11-26')
const erasedId = String(dueCustomers[0]!.id)
const retrieveErased = (service: LocalService) => clientOf(service).customers.retrieve(erasedId)

it('fills a new demo application by default, even if a start is interrupted, without changing existing records', async () => {
  const stopping = new AbortController()
  const interruption = new Error('stopped after 60 records')
  const show = (text: string) => {
    if (text.includes(': 60 of')) stopping.abort(interruption)
  }
  const interrupted = startAt(firstDay, idsIn, { signal: stopping.signal, show })
  await expect(interrupted).rejects.toBe(interruption)
  const erase = (service: LocalService) => clientOf(service).customers.anonymise(erasedId)
  const erased = await startAt(firstDay, erase, { args: ['--empty'] })
  const filled = await startAt(firstDay, async (service) => {
    expect(await retrieveErased(service)).toEqual(erased)
    return idsIn(service)
  })
  expect(filled).toEqual(idsUntil('2026-11-26'))
})

it('records at a later start what has been due since then, and nothing else', async () => {
  expect(JSON.parse(readFileSync(file, 'utf8')).business).toEqual({
    first_month: FIRST_MONTH,
    recorded_until: '2026-11-26',
  })
  const erased = await startAt(firstDay, retrieveErased)
  const later = await startAt(secondDay, async (service) => {
    expect(await retrieveErased(service)).toEqual(erased)
    return idsIn(service)
  })
  expect(later).toEqual(idsUntil('2026-12-09'))
  expect(later.invoices.length).toBeGreaterThan(idsUntil('2026-11-26').invoices.length)
})

it('leaves a new demo application empty with --empty, and does not fill it at a later start', async () => {
  rmSync(DATA_DIR, { recursive: true })
  const noRecords = { customers: [], invoices: [] }
  expect(await startAt(firstDay, idsIn, { args: ['--empty'] })).toEqual(noRecords)
  expect(await startAt(firstDay, idsIn)).toEqual(noRecords)
})
