import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApiDocument } from '../../shared/openapi/document.ts'

/** An example as the document carries it. */
export interface Example {
  readonly summary?: string
  readonly value: unknown
}

/** What the document says of a JSON body. */
export interface Media {
  readonly schema: { readonly $ref: string }
  readonly examples: Readonly<Record<string, Example>>
}

/** What the document says of a response, or where it says it. */
export interface DocumentedResponse {
  readonly $ref?: string
  readonly content: { readonly 'application/json': Media }
}

/** The parts of an operation that tests look at. */
export interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly requestBody?: { readonly content: { readonly 'application/json': Media } }
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

interface Document {
  readonly info: Readonly<Record<string, unknown>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
}

let made: Document | undefined

/** The document that this source tree makes; made within a test, so that what breaks it fails that test. */
export const theDocument = (): Document => {
  made ??= openApiDocument('http://localhost:3000') as unknown as Document
  return made
}

/** The operation of a method and a path template. */
export const documented = (method: string, path: string): DocumentedOperation =>
  theDocument().paths[path]![method.toLowerCase()] as DocumentedOperation

/** What a response says, through its reference. */
export const resolved = (response: DocumentedResponse): DocumentedResponse =>
  response.$ref
    ? (theDocument().components.responses![response.$ref.split('/').at(-1)!] as unknown as DocumentedResponse)
    : response

let ajv: Ajv2020 | undefined

/** The validator of a component's schema, as any tool would compile it: no format and no keyword of our own. */
export const validatorOf = (name: string): ValidateFunction => {
  ajv ??= new Ajv2020({
    strict: false,
    allErrors: true,
    ownProperties: true,
    validateFormats: false,
  }).addSchema(theDocument(), 'openapi')
  return ajv.getSchema(`openapi#/components/schemas/${name}`) as ValidateFunction
}

/** The validator of a body's schema. */
export const validatorOfMedia = ({ schema }: Media): ValidateFunction =>
  validatorOf(schema.$ref.split('/').at(-1)!)
