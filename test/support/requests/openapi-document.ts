import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApiDocument } from '../../../shared/openapi/document.ts'

export interface Example {
  readonly summary?: string
  readonly value: unknown
}

interface Media {
  readonly schema: { readonly $ref: string }
  readonly examples: Readonly<Record<string, Example>>
}

interface DocumentedResponse {
  readonly $ref?: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly content: { readonly 'application/json': Media }
}

interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly requestBody?: { readonly content: { readonly 'application/json': Media } }
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

type Operations = Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>

interface Document {
  readonly info: Readonly<Record<string, unknown>>
  readonly paths: Operations
  readonly webhooks: Operations
  readonly components: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
}

let openApi: Document | undefined

/** At the first call, so that an error fails the test that makes it. */
export const theDocument = (): Document => {
  openApi ??= openApiDocument('http://localhost:3000') as unknown as Document
  return openApi
}

export const documentedOperation = (method: string, path: string): DocumentedOperation =>
  theDocument().paths[path]![method.toLowerCase()] as DocumentedOperation

export const resolvedResponse = (response: DocumentedResponse): DocumentedResponse =>
  response.$ref
    ? (theDocument().components.responses![response.$ref.split('/').at(-1)!] as unknown as DocumentedResponse)
    : response

let ajv: Ajv2020 | undefined

/** Ignores our own formats and keywords, as other tools do. */
const validatorOf = (name: string): ValidateFunction => {
  ajv ??= new Ajv2020({
    strict: false,
    allErrors: true,
    ownProperties: true,
    validateFormats: false,
  }).addSchema(theDocument(), 'openapi')
  return ajv.getSchema(`openapi#/components/schemas/${name}`) as ValidateFunction
}

export const documentedEvent = (): Media =>
  theDocument().webhooks.entityChanged!.post!.requestBody!.content['application/json']

export const validatorOfEvent = (): ValidateFunction =>
  new Ajv2020({ strict: false, allErrors: true }).compile(documentedEvent().schema)

export const validatorOfMedia = ({ schema }: Media): ValidateFunction =>
  validatorOf(schema.$ref.split('/').at(-1)!)
