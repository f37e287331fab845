import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApiDocument } from '../../../shared/openapi/document.ts'

/** An example in the document. */
export interface Example {
  readonly summary?: string
  readonly value: unknown
}

/** The description of a JSON body in the document. */
interface Media {
  readonly schema: { readonly $ref: string }
  readonly examples: Readonly<Record<string, Example>>
}

/** The description of a response in the document, or a reference to it. */
interface DocumentedResponse {
  readonly $ref?: string
  readonly content: { readonly 'application/json': Media }
}

/** The parts of an operation that tests read. */
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

/** Returns the document made from the sources, at the first call, so that an error fails the test that makes it. */
export const theDocument = (): Document => {
  openApi ??= openApiDocument('http://localhost:3000') as unknown as Document
  return openApi
}

/** Returns the operation of a method and a path template. */
export const documentedOperation = (method: string, path: string): DocumentedOperation =>
  theDocument().paths[path]![method.toLowerCase()] as DocumentedOperation

/** Returns the response that a reference points to. A response that is no reference is returned unchanged. */
export const resolvedResponse = (response: DocumentedResponse): DocumentedResponse =>
  response.$ref
    ? (theDocument().components.responses![response.$ref.split('/').at(-1)!] as unknown as DocumentedResponse)
    : response

let ajv: Ajv2020 | undefined

/** Compiles the validator of a component's schema. It ignores our own formats and keywords, as other tools do. */
const validatorOf = (name: string): ValidateFunction => {
  ajv ??= new Ajv2020({
    strict: false,
    allErrors: true,
    ownProperties: true,
    validateFormats: false,
  }).addSchema(theDocument(), 'openapi')
  return ajv.getSchema(`openapi#/components/schemas/${name}`) as ValidateFunction
}

/** Returns the description of the event that the service sends for a change. */
export const documentedEvent = (): Media =>
  theDocument().webhooks.entityChanged!.post!.requestBody!.content['application/json']

/** Compiles the validator of that event. */
export const validatorOfEvent = (): ValidateFunction =>
  new Ajv2020({ strict: false, allErrors: true }).compile(documentedEvent().schema)

/** Compiles the validator of a body's schema. */
export const validatorOfMedia = ({ schema }: Media): ValidateFunction =>
  validatorOf(schema.$ref.split('/').at(-1)!)
