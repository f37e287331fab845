import { catalogue } from '../catalogue.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { operationId } from '../openapi/components.ts'
import { exampleId, requestExamples } from '../openapi/examples.ts'

/** The address of the local service, which the guides and samples name; the page shows its own instead. */
export const LOCAL_ADDRESS = 'http://127.0.0.1:3000'

/** A value as an object literal of a program. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/^( *)"(\w+)":/gm, '$1$2:')

/** The calls of the typed client that send an endpoint's first example. */
const callsOf = (endpoint: Endpoint): string => {
  const { operation, resource } = endpoint
  const { name, plural } = resource
  const id = literal(exampleId(resource))
  const [example] = Object.values(requestExamples(endpoint))
  const body = (example?.value ?? {}) as { readonly id?: unknown }
  const { id: _, ...changes } = body
  const calls: Readonly<Record<Endpoint['operation'], string>> = {
    list: `for await (const ${name} of billing.${plural}.all()) console.log(${name})`,
    create: `const ${name} = await billing.${plural}.create(${literal(body)})`,
    retrieve: `const ${name} = await billing.${plural}.retrieve(${id})`,
    update: `const ${name} = await billing.${plural}.update(${id}, ${literal(changes)})\nawait billing.${plural}.anonymise(${id})`,
  }
  return calls[operation]
}

/** The samples of all operations for the typed client, by their ids in the OpenAPI document. */
export const samples = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    catalogue.map((endpoint) => [
      operationId(endpoint),
      `import { createClient } from 'billing-data-api'

const billing = createClient({
  baseUrl: '${LOCAL_ADDRESS}',
  appId: '<application id>',
  apiKey: '<API key>',
})

${callsOf(endpoint)}`,
    ]),
  )
