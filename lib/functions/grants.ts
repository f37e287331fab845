import type { Endpoint, Include } from '../../shared/contract/endpoint.ts'
import { CHILD_INDEX, LIST_INDEX } from '../../shared/store/table.ts'

/** What a function may do: IAM actions on the table, and the indexes that it may query. */
export interface Grants {
  readonly table: readonly string[]
  readonly indexes: readonly string[]
}

const readsByReference = ({ operation, resource }: Endpoint): boolean =>
  operation === 'create' && Object.values(resource.fields).some(({ reference }) => reference !== undefined)

/** Whether an inclusion is read by ids: what a list's index does not carry, or what another entity is. */
const readsInBatch =
  ({ operation }: Endpoint) =>
  ({ from }: Include): boolean =>
    from === 'reference' || (from === 'field' && operation === 'list')

/** The least that an endpoint's function needs; every one reads the caller's API key by GetItem. */
export const grantsOf = (endpoint: Endpoint): Grants => {
  const { operation } = endpoint
  const includes = Object.values(endpoint.include)
  const batch = readsByReference(endpoint) || includes.some(readsInBatch(endpoint))
  const children = includes.some(({ from }) => from === 'children')
  return {
    table: [
      'dynamodb:GetItem',
      ...(batch ? ['dynamodb:BatchGetItem'] : []),
      // A transaction's parts are granted as the writes that they are.
      ...(operation === 'create' ? ['dynamodb:PutItem'] : []),
      ...(operation === 'update' ? ['dynamodb:UpdateItem'] : []),
    ],
    indexes: [...(operation === 'list' ? [LIST_INDEX] : []), ...(children ? [CHILD_INDEX] : [])],
  }
}
