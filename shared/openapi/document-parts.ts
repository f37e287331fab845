/** A JSON object of the document. */
export type JsonObject = Readonly<Record<string, unknown>>

export const componentRef = (kind: string, name: string): JsonObject => ({
  $ref: `#/components/${kind}/${name}`,
})

/** The content of a request or response: a JSON body with the schema of a component. */
export const jsonContent = (name: string, examples: object): JsonObject => ({
  'application/json': { schema: componentRef('schemas', name), examples },
})
