import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams'
import type { ChangeDetail } from '../../../client/index.ts'
import { resourcesByName } from '../../../shared/catalogue.ts'
import { addApiKey } from '../../../tools/applications/api-keys.ts'
import { disableApplication } from '../../../tools/applications/applications.ts'
import { removeApplication } from '../../../tools/operator/remove.ts'
import { addStream, streamReader } from '../../support/database/table-stream.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  lineItem,
  priceBody,
  productBody,
} from '../../support/requests/bodies.ts'
import { documentedEvent, validatorOfEvent } from '../../support/requests/openapi-document.ts'
import { type Client, newClient, SENTINEL, serveForTests } from '../../support/requests/service.ts'
import { type EventPattern, matchesPattern, pipedEvent } from '../../support/stack/event-patterns.ts'
import { immediateRemoval } from '../../support/stack/removals.ts'
import { everyOption, synthesise } from '../../support/stack/synthesis.ts'

const { only } = synthesise('full', everyOption)
const pipe = only('AWS::Pipes::Pipe').Properties

/** As the pipe of the template creates them. */
const eventsOf = (records: readonly StreamRecord[]): ChangeDetail[] => {
  const { SourceParameters, TargetParameters } = pipe
  const patterns: EventPattern[] = SourceParameters.FilterCriteria.Filters.map(
    ({ Pattern }: { Pattern: string }) => JSON.parse(Pattern),
  )
  return records
    .filter((record) => patterns.some((pattern) => matchesPattern(pattern, record)))
    .map((record) => pipedEvent(TargetParameters.InputTemplate, record) as ChangeDetail)
}

serveForTests()
let readStream: () => Promise<StreamRecord[]>
beforeAll(async () => {
  const { StreamSpecification } = only('AWS::DynamoDB::Table').Properties
  readStream = streamReader(await addStream(StreamSpecification.StreamViewType))
})

const recordsOf = async (write: () => Promise<unknown>): Promise<StreamRecord[]> => {
  await readStream()
  await write()
  return readStream()
}

/** In every field that can contain it. */
const personalData = { name: SENTINEL, email: SENTINEL, description: SENTINEL, metadata: { note: SENTINEL } }
const january = invoiceBody({
  id: 'january',
  customer_id: 'ann',
  subscription_id: 'ann-pro',
  line_items: [lineItem()],
})
const february = { ...january, id: 'february', period_start: '2024-02-01', period_end: '2024-03-01' }
const december = { ...january, id: 'december', period_start: '2023-12-01', period_end: '2024-01-01' }
const ann = customerBody({ id: 'ann', ...personalData })

const newApplication = async (): Promise<Client> => {
  const client = await newClient()
  await client.create('/api/products', productBody({ id: 'pro', name: SENTINEL }))
  await client.create('/api/customers', ann)
  await client.create('/api/invoices', january)
  return client
}
const appIdOf = ({ credentials }: Client): string => credentials.app_id
const post = (path: string, body: object) => (client: Client) => client.post(`/api/${path}`, body)
const put = (body?: object) => (client: Client) => client.put('/api/customers/ann', body)
const remove = (keepApplication: boolean) => (client: Client) =>
  removeApplication(appIdOf(client), immediateRemoval({ keepApplication }))

it.each<[string, string[], (client: Client) => Promise<unknown>]>([
  ['a new product', ['INSERT prod'], post('products', productBody())],
  ['a new price', ['INSERT price'], post('prices', priceBody({ product_id: 'pro' }))],
  ['a new customer', ['INSERT cus'], post('customers', customerBody(personalData))],
  ['a new discount', ['INSERT disc'], post('discounts', discountBody())],
  ['a first invoice', ['INSERT inv', 'INSERT sub'], post('invoices', invoiceBody({ customer_id: 'ann' }))],
  ['an invoice that moves its subscription', ['INSERT inv', 'MODIFY sub'], post('invoices', february)],
  ['an invoice that leaves its subscription as it is', ['INSERT inv'], post('invoices', december)],
  ['a customer recorded as erased', ['INSERT cus'], post('customers?erased=true', { id: 'bob' })],
  ['an update', ['MODIFY cus'], put({ id: 'ann', phone: SENTINEL })],
  ['an erasure', ['MODIFY cus'], put()],
  ['a create that updates', ['MODIFY cus'], post('customers?on_conflict=update', { ...ann, name: 'New' })],
  ['a create that would change nothing', [], post('customers?on_conflict=update', ann)],
  ['a repeated create', [], post('invoices', january)],
  ['a conflict', [], post('customers', { id: 'ann', name: 'Other' })],
  ['another application', [], () => newClient()],
  ['another key', [], (client) => addApiKey(appIdOf(client))],
  ['a disabled application', [], (client) => disableApplication(appIdOf(client))],
  ['an emptied application', [], remove(true)],
  ['a removed application', [], remove(false)],
])('the pipe creates from the records of %s the events %j', async (_, expected, write) => {
  const client = await newApplication()
  const events = eventsOf(await recordsOf(() => write(client)))
  const changesAndPrefixes = events.map(({ change, entity }) => {
    const [, prefix] = /^app_\w+#(\w+)_\w+$/.exec(entity)!
    return `${change} ${prefix}`
  })
  expect(changesAndPrefixes.sort()).toEqual(expected)
  for (const { entity } of events) {
    const [app, id = ''] = entity.split('#')
    const { plural } = [...resourcesByName.values()].find(({ prefix }) => id.startsWith(`${prefix}_`))!
    expect(app).toEqual(appIdOf(client))
    expect((await client.get(`/api/${plural}/${id}`)).status).toBe(200)
  }
})

it('the pipe receives only keys', async () => {
  const records = await recordsOf(newApplication)
  expect(records).not.toEqual([])
  for (const { dynamodb, eventID } of records) {
    const { Keys, SequenceNumber, SizeBytes, ApproximateCreationDateTime, StreamViewType, ...values } =
      dynamodb!
    expect(StreamViewType).toBe('KEYS_ONLY')
    expect(Object.keys(Keys!).sort()).toEqual(['pk', 'sk'])
    expect(values).toEqual({})
    expect(eventID).toEqual(expect.any(String))
  }
})

it('the pipe creates events as the OpenAPI document describes them, without personal data', async () => {
  const validate = validatorOfEvent()
  const example = documentedEvent().examples.invoice!.value as object
  const records = await recordsOf(newApplication)
  const events = eventsOf(records)
  expect(events).toHaveLength(4)
  for (const detail of events) {
    validate({ ...example, detail })
    expect(validate.errors).toBeNull()
  }
  expect(new Set(events.map(({ change_id }) => change_id)).size).toBe(events.length)
  expect(JSON.stringify([records, events])).not.toContain(SENTINEL)
})
