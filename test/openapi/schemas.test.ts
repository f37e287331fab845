import fc from 'fast-check'
import { catalogue } from '../../shared/catalogue.ts'
import { schemaErrors } from '../../shared/http/validation/schema-errors.ts'
import { documentedOperation, validatorOfMedia } from '../support/requests/openapi-document.ts'
import { randomBody } from '../support/requests/random-bodies.ts'
import { writeOperations } from '../support/requests/write-operations.ts'
import { runs } from '../support/runs.ts'

/**
 * Not for half of a character, which is no JSON text, and for a leap second, whose time of day depends on the
 * offset.
 */
const isComparable = (value: unknown): boolean =>
  typeof value !== 'string' || (value.isWellFormed() && !value.includes(':60'))

describe.each(catalogue.filter(({ body }) => body))('the document of $id', (endpoint) => {
  const allows = (body: object): { readonly document: boolean; readonly service: boolean } => {
    const { requestBody } = documentedOperation(endpoint.method, endpoint.path)
    const validate = validatorOfMedia(requestBody!.content['application/json'])
    return { document: validate(body), service: schemaErrors(endpoint, body).length === 0 }
  }

  it('allows exactly the random bodies that the service’s own schema allows', () => {
    const property = fc.property(randomBody(endpoint.body!), (body) => {
      const { document, service } = allows(body)
      expect({ body, document }).toEqual({ body, document: service })
    })
    fc.assert(property, { numRuns: runs(400, 100_000) })
  })

  it.each(Object.entries(writeOperations[endpoint.id]!.fields))(
    'allows exactly the values of %s that the service’s own schema allows',
    (field, values) => {
      const { body } = writeOperations[endpoint.id]!
      for (const value of [undefined, null, ...values.valid, ...values.invalid].filter(isComparable)) {
        const { document, service } = allows(body({ [field]: value }))
        expect({ value, document }).toEqual({ value, document: service })
      }
    },
  )
})
