import { catalogue, isEndpoint } from '../../shared/catalogue.ts'
import type { Deployable } from '../../shared/contract/deployable.ts'
import { createMayUpdate, type Endpoint } from '../../shared/contract/endpoint.ts'
import type { Include } from '../../shared/contract/include.ts'
import { CHANGE_INDEX, CHILD_INDEX, LIST_INDEX } from '../../shared/store/table.ts'

/** The action that versions up to 0.2.0 need for updates. An alias can be moved back to one of them, with the same role. */
export const FORMER_ACTION = 'dynamodb:UpdateItem'

/** Returns whether an include is read by id: another entity, or a field that the list's index does not project. */
const readsInBatch =
  ({ operation }: Endpoint) =>
  ({ from }: Include): boolean =>
    from === 'reference' || from === 'listed' || (from === 'field' && operation === 'list')

/**
 * Returns the least permissions that a function needs: IAM actions on the table, and the indexes that it can query. Every
 * function reads the caller's API key with GetItem.
 */
export const grantsOf = (deployable: Deployable) => {
  const lookUp = { table: ['dynamodb:GetItem'], indexes: [] as string[] }
  if (!isEndpoint(deployable)) return lookUp
  const { operation, filter, resource } = deployable
  const includes = Object.values(deployable.include)
  // A create looks up the entities that its body refers to, and its id if that may be one of the service's.
  const batch = operation === 'create' || includes.some(readsInBatch(deployable))
  const hasUpdate = catalogue.some(
    (endpoint) => endpoint.resource === resource && endpoint.operation === 'update',
  )
  const children = filter !== undefined || includes.some(({ from }) => from === 'children')
  return {
    table: [
      ...lookUp.table,
      ...(batch ? ['dynamodb:BatchGetItem'] : []),
      // IAM authorises a transaction by its single writes.
      ...(operation === 'create' || operation === 'update' ? ['dynamodb:PutItem'] : []),
      ...(hasUpdate && (operation === 'update' || createMayUpdate(deployable)) ? [FORMER_ACTION] : []),
    ],
    indexes: [
      ...(operation === 'list' ? [LIST_INDEX] : []),
      ...(children ? [CHILD_INDEX] : []),
      ...(operation === 'list' && resource.isMutable ? [CHANGE_INDEX] : []),
    ],
  }
}
