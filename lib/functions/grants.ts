import { isEndpoint } from '../../shared/catalogue.ts'
import type { Deployable } from '../../shared/contract/deployable.ts'
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

/** The least that a function on the table needs; every one reads the caller's API key by GetItem. */
export const grantsOf = (deployable: Deployable): Grants => {
  const lookUp = { table: ['dynamodb:GetItem'], indexes: [] }
  if (!isEndpoint(deployable)) return lookUp
  const { operation, filter } = deployable
  const includes = Object.values(deployable.include)
  const isFiltered = filter !== undefined
  const batch = readsByReference(deployable) || isFiltered || includes.some(readsInBatch(deployable))
  const children = isFiltered || includes.some(({ from }) => from === 'children')
  return {
    table: [
      ...lookUp.table,
      ...(batch ? ['dynamodb:BatchGetItem'] : []),
      // A transaction's parts are granted as the writes that they are.
      ...(operation === 'create' ? ['dynamodb:PutItem'] : []),
      ...(operation === 'update' ? ['dynamodb:UpdateItem'] : []),
    ],
    indexes: [...(operation === 'list' ? [LIST_INDEX] : []), ...(children ? [CHILD_INDEX] : [])],
  }
}
