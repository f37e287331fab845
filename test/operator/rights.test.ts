import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FORMER_ACTION, grantsOf } from '../../lib/functions/grants.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { createMayUpdate, type Endpoint } from '../../shared/contract/endpoint.ts'
import { serverIdFor } from '../../shared/ids.ts'
import { exampleBody } from '../../shared/openapi/examples.ts'
import { applicationKey, entityKey, listPartition } from '../../shared/store/keys.ts'
import { currentService } from '../../shared/store/service.ts'
import { appsCommands } from '../../tools/operator/apps-commands.ts'
import { removeApplication } from '../../tools/operator/remove.ts'
import { exportApplication } from '../../tools/transfer/export/export.ts'
import { databaseCallsOf, recordDatabaseCalls } from '../support/database/database-calls.ts'
import { guideSection, policyStatements, type Statement } from '../support/documents/operating-guide.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import { customerBody, invoiceBody } from '../support/requests/bodies.ts'
import { clientWithExamples, examplePath, otherContent } from '../support/requests/examples.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'
import { immediateRemoval } from '../support/stack/removals.ts'
import { leadingKeys, rightsFor } from '../support/stack/rights.ts'

serveForTests()

const [statement] = policyStatements('Permissions for `apps`')

/** As `rightsFor` writes them. */
const rightsIn = ({ Action, Resource }: Statement): string[] =>
  [Resource].flat().flatMap((arn) => {
    const [, index] = arn.split('/index/')
    const actions = [Action].flat()
    return actions
      .filter((action) => !index || action === 'dynamodb:Query')
      .map((action) => (index ? `${action} on ${index}` : action))
  })

const allows = (keys: readonly string[]): boolean => {
  const pattern = statement!.Condition!['ForAllValues:StringNotLike']!['dynamodb:LeadingKeys']!
  const matching = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
  return keys.length > 0 && keys.every((key) => !matching.test(key))
}

const runOnTestTable = async (name: string, args: readonly string[]) => {
  const { work } = await appsCommands[name]!.prepare(args, process.stdin)
  return (await work(immediateRemoval())) as Record<string, string>
}

it('allows operators of apps exactly what its commands do, except remove', async () => {
  const databaseCalls = recordDatabaseCalls()
  const { app_id, api_key } = await runOnTestTable('create', ['--name', 'Shop'])
  const { key_id } = await runOnTestTable('find', ['--key', api_key!])
  const app = ['--app', app_id!]
  const argumentsOfOthers: Readonly<Record<string, readonly string[]>> = {
    list: [],
    disable: app,
    enable: app,
    scale: [...app, '--shards', '8'],
    keys: app,
    rotate: app,
    revoke: [...app, '--key', key_id!],
  }
  for (const [name, args] of Object.entries(argumentsOfOthers)) await runOnTestTable(name, args)
  expect(Object.keys(appsCommands).sort()).toEqual(
    [...Object.keys(argumentsOfOthers), 'create', 'find', 'remove'].sort(),
  )
  const rights = new Set(databaseCalls.flatMap(rightsFor))
  expect([...rights].sort()).toEqual(rightsIn(statement!).sort())
  expect(databaseCalls.map(leadingKeys).filter((keys) => !allows(keys))).toEqual([])
})

it.each([
  ['an application', applicationKey('app_1').pk, true],
  ['an entity', entityKey('app_1', 'cus_1').pk, false],
  ['a list of entities', listPartition('app_1', 'customers', 0), false],
])('restricts access by partition key: %s', (_, key, isAllowed) => expect(allows([key])).toBe(isAllowed))

it('allows exports and removals exactly what these commands do', async () => {
  const [reading, deleting] = policyStatements('Permissions for `export` and `apps remove`')
  const client = await newClient()
  const { app_id: app } = client.credentials
  const { id } = await client.create('/api/customers', customerBody())
  await client.create('/api/invoices', invoiceBody({ customer_id: id }))
  const databaseCalls = recordDatabaseCalls()
  for (const customer of [undefined, id])
    await exportApplication({ app, customer, folder: join(temporaryFolder(), 'x'), show: () => undefined })
  // One statement names table and indexes, so that it allows queries of the table too.
  const exporting = [...new Set(databaseCalls.flatMap(rightsFor)), 'dynamodb:Query']
  expect(exporting.sort()).toEqual(rightsIn(reading!).sort())
  databaseCalls.length = 0
  await removeApplication(app, immediateRemoval())
  // The policy for apps allows no call that names the key of an entity.
  const reached = databaseCalls.filter((call) => !call.input.RequestItems && !allows(leadingKeys(call)))
  const removing = [...new Set(reached.flatMap(rightsFor))].filter(
    (right) => !rightsIn(reading!).includes(right),
  )
  expect(removing.sort()).toEqual(rightsIn(deleting!).sort())
})

it('allows, in incidents, each AWS command of the guide that changes something', () => {
  const titles = ['Roll back', 'Keys and applications', 'Block a flood', 'Stop writes', 'Restore']
  const events = guideSection('When events stop', readFileSync('docs/events.md', 'utf8'))
  const sections = [...titles.map((title) => guideSection(title)), events]
  const commands = [...sections.join().matchAll(/\baws ([a-z0-9]+) ([a-z-]+)/g)]
  const changing = commands.filter(([, , verb]) => !/^(?:describe|get|list)-/.test(verb!))
  const needed = changing.map(([, service, verb]) =>
    service === 'apigateway' ? 'apigateway:patch' : `${service}:${verb!.replaceAll('-', '')}`,
  )
  const allowed = policyStatements('Permissions for incidents').flatMap(({ Action }) => Action)
  expect(allowed.map((action) => action.toLowerCase())).toEqual(expect.arrayContaining(needed))
  expect(needed.length).toBeGreaterThan(10)
})

/** Hits, misses, replays, updates and every include. */
const requestsOf = (client: Client, endpoint: Endpoint): (() => Promise<unknown>) => {
  const { resource, operation, include, filter, path } = endpoint
  const collection = `/api/${resource.plural}`
  const query = `?include=${Object.keys(include).join(',')}`
  const body = exampleBody(resource)
  return {
    list: async () => {
      await client.get(collection + query)
      await client.get(`${collection}?changed_since=0`)
      if (filter !== undefined) await client.get(`${collection}?${filter}=${body[filter]}`)
    },
    retrieve: async () => {
      await client.get(examplePath(endpoint) + query)
      await client.get(path.replace('{id}', 'nothing'))
    },
    create: async () => {
      await client.create(collection, { ...body, id: 'another' })
      await client.create(collection, body)
      await client.post(collection, otherContent(endpoint))
      const assigned = serverIdFor(client.credentials.app_id, resource.prefix, body.id as string)
      await client.post(collection, { ...body, id: assigned })
      if (createMayUpdate(endpoint))
        await client.post(`${collection}?on_conflict=update`, otherContent(endpoint))
    },
    update: async () => {
      await client.put(examplePath(endpoint), { id: body.id, name: 'New' })
      await client.put(examplePath(endpoint), { id: 'another', name: 'New' })
      await client.put(examplePath(endpoint))
    },
  }[operation]
}

it.each(catalogue.map((endpoint) => [endpoint.id, endpoint] as const))(
  'grants the function of %s exactly what it uses',
  async (_, endpoint) => {
    const run = requestsOf(await clientWithExamples(), endpoint)
    currentService().keyCache.clear()
    const databaseCalls = await databaseCallsOf(run)
    const { table, indexes } = grantsOf(endpoint)
    // Only customers could change in the versions that need the former action.
    const couldChange = ['customers.create', 'customers.update'].includes(endpoint.id)
    expect(table.includes(FORMER_ACTION)).toBe(couldChange)
    expect([...new Set(databaseCalls.flatMap(rightsFor))].sort()).toEqual(
      [
        ...table.filter((action) => action !== FORMER_ACTION),
        ...indexes.map((name) => `dynamodb:Query on ${name}`),
      ].sort(),
    )
  },
)
