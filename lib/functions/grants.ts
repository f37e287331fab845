import { catalogue, isEndpoint } from '../../shared/catalogue.ts'
import type { Deployable } from '../../shared/contract/deployable.ts'
import { createMayUpdate, type Endpoint, type Operation } from '../../shared/contract/endpoint.ts'
import type { Include } from '../../shared/contract/include.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import { CHANGE_INDEX, CHILD_INDEX, LIST_INDEX } from '../../shared/store/table.ts'

/**
 * Versions up to 0.2.0 need this action for updates. An alias can be moved back to them, with the same role.
 */
export const FORMER_ACTION = 'dynamodb:UpdateItem'

/** Reads by id are for other entities, and for a field that the index of lists does not contain. */
const isReadById = ({ returnsPage }: Endpoint, { path, idsToRead }: Include): boolean =>
  idsToRead !== undefined || (path !== undefined && returnsPage)

const hasUpdate = (resource: Resource): boolean =>
  catalogue.some((endpoint) => endpoint.resource === resource && endpoint.operation === 'update')

interface TableGrants {
  readonly table: readonly string[]
  readonly indexes: readonly string[]
}

/** The actions of each operation. IAM authorises a transaction by its single writes. */
const operationActions: Readonly<Record<Operation, readonly string[]>> = {
  list: [],
  // It looks up the entities that its body refers to, and its id if it has the form of a server id.
  create: ['dynamodb:BatchGetItem', 'dynamodb:PutItem'],
  retrieve: [],
  update: ['dynamodb:PutItem', FORMER_ACTION],
}

const actionsOf = (endpoint: Endpoint): string[] => {
  const { operation, resource } = endpoint
  const readsById = Object.values(endpoint.include).some((include) => isReadById(endpoint, include))
  return [
    // Every function reads the API key of its caller.
    'dynamodb:GetItem',
    ...operationActions[operation],
    ...(readsById ? ['dynamodb:BatchGetItem'] : []),
    ...(hasUpdate(resource) && createMayUpdate(endpoint) ? [FORMER_ACTION] : []),
  ]
}

const indexesOf = ({ returnsPage, filter, include, resource }: Endpoint): string[] => {
  const readsChildren = Object.values(include).some(({ children }) => children)
  return [
    ...(returnsPage ? [LIST_INDEX] : []),
    ...(filter !== undefined || readsChildren ? [CHILD_INDEX] : []),
    ...(returnsPage && resource.isMutable ? [CHANGE_INDEX] : []),
  ]
}

/** The least permissions for the table. */
export const grantsOf = (deployable: Deployable): TableGrants =>
  isEndpoint(deployable)
    ? { table: actionsOf(deployable), indexes: indexesOf(deployable) }
    : { table: ['dynamodb:GetItem'], indexes: [] }
