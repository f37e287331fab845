import { promisify } from 'node:util'
import { catalogue } from '../../shared/catalogue.ts'
import { openApiDocument } from '../../shared/openapi/document.ts'
import { toolModule } from '../packages/tools.ts'

/** A header or parameter of a request in a collection; a disabled one is not sent. */
interface CollectionHeader {
  readonly key: string
  readonly value: string
  readonly disabled?: boolean
}

/** A folder or a request of a collection: the properties that we use. */
export interface CollectionItem {
  readonly name: string
  readonly item?: readonly CollectionItem[]
  readonly request?: {
    readonly method: string
    readonly url: {
      readonly path: readonly string[]
      readonly query: readonly CollectionHeader[]
      readonly variable: readonly CollectionHeader[]
    }
    readonly header: readonly CollectionHeader[]
    readonly body?: { readonly raw?: string }
  }
}

/** A Postman collection 2.1, which Bruno and Insomnia can import as well. */
export interface Collection {
  readonly item: readonly CollectionItem[]
  readonly auth: { readonly type: string; readonly bearer: readonly CollectionHeader[] }
  readonly variable: readonly CollectionHeader[]
}

interface Conversion {
  readonly reason?: string
  readonly output?: readonly { readonly data: Collection }[]
}
type Done = (error: Error | null, conversion: Conversion) => void
interface Converter {
  convert(input: object, options: object, done: Done): void
}

const options = { folderStrategy: 'Tags', requestParametersResolution: 'Example' }

/** Converts the OpenAPI document with Postman's own converter. */
export const importedCollection = async (baseUrl: string): Promise<Collection> => {
  const { convert } = toolModule('openapi-to-postmanv2') as Converter
  const input = { type: 'string', data: JSON.stringify(openApiDocument(baseUrl)) }
  const { output: [first] = [], reason } = await promisify(convert)(input, options)
  if (!first) throw new Error(reason)
  return first.data
}

const appId: CollectionHeader = { key: 'x-app-id', value: '{{appId}}' }

// A filter must name an entity that exists, so it is sent only once its user has filled it in.
const filters = new Set<string>(catalogue.flatMap(({ filter }) => filter ?? []))

const ready = ({ item, request, ...rest }: CollectionItem): CollectionItem => {
  if (!request) return { ...rest, ...(item ? { item: item.map(ready) } : {}) }
  const query = request.url.query.map((each) => (filters.has(each.key) ? { ...each, disabled: true } : each))
  const header = [appId, ...request.header.filter(({ key }) => key !== 'x-request-id')]
  return { ...rest, request: { ...request, url: { ...request.url, query }, header } }
}

/**
 * A collection of every request with its example, for the API at `baseUrl`. Its variables `bearerToken` and `appId` are
 * the credentials; the `x-app-id` header is added here, since the converter supports one security scheme at a time.
 */
export const collection = async (baseUrl: string): Promise<Collection> => {
  const { item, variable, ...imported } = await importedCollection(baseUrl)
  const credentials = ['bearerToken', 'appId'].map((key) => ({ key, value: '' }))
  return { ...imported, item: item.map(ready), variable: [...variable, ...credentials] }
}
