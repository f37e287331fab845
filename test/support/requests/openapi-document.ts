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

let made: Document | undefined

/** Returns the document made from the sources. Called within tests, so that an error fails the test. */
export const theDocument = (): Document => {
  made ??= openApiDocument('http://localhost:3000') as unknown as Document
  return made
}

/** Returns the operation of a method and a path template. */
export const documentedOperation = (method: string, path: string): DocumentedOperation =>
  theDocument().paths[path]![method.toLowerCase()] as DocumentedOperation

/** Resolves the reference of a response. */
export const resolvedResponse = (response: DocumentedResponse): DocumentedResponse =>
  response.$ref
    ? (theDocument().components.responses![response.$ref.split('/').at(-1)!] as unknown as DocumentedResponse)
    : response

let ajv: Ajv2020 | undefined

/** Compiles the validator of a component's schema without our own formats and keywords, as other tools do. */
const validatorOf = (name: string): ValidateFunction => {
  ajv ??= new Ajv2020({
    strict: false,
    allErrors: true,
    ownProperties: true,
    validateFormats: false,
  }).addSchema(theDocument(), 'openapi')
  return ajv.getSchema(`openapi#/components/schemas/${name}`) as ValidateFunction
}

/** Returns the description of the event of a change. */
export const documentedEvent = (): Media =>
  theDocument().webhooks.entityChanged!.post!.requestBody!.content['application/json']

/** Compiles the validator of the event of a change. */
export const validatorOfEvent = (): ValidateFunction =>
  new Ajv2020({ strict: false, allErrors: true }).compile(documentedEvent().schema)

/** Compiles the validator of a body's schema. */
export const validatorOfMedia = ({ schema }: Media): ValidateFunction =>
  validatorOf(schema.$ref.split('/').at(-1)!)
