import { catalogue, isEndpoint } from '../../shared/catalogue.ts'
import type { Deployable } from '../../shared/contract/deployable.ts'
import { createMayUpdate, type Endpoint } from '../../shared/contract/endpoint.ts'
import type { Include } from '../../shared/contract/include.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import { CHANGE_INDEX, CHILD_INDEX, LIST_INDEX } from '../../shared/store/table.ts'

/**
 * Versions up to 0.2.0 need this action for updates. An alias can be moved back to them, with the same role.
 */
export const FORMER_ACTION = 'dynamodb:UpdateItem'

/** By id are read another entity, and a field that the index of lists does not contain. */
const isReadById = ({ operation }: Endpoint, { from }: Include): boolean =>
  from === 'reference' || from === 'listed' || (from === 'field' && operation === 'list')

const hasUpdate = (resource: Resource): boolean =>
  catalogue.some((endpoint) => endpoint.resource === resource && endpoint.operation === 'update')

interface TableGrants {
  readonly table: readonly string[]
  readonly indexes: readonly string[]
}

const actionsOf = (endpoint: Endpoint): string[] => {
  const { operation, resource } = endpoint
  const includes = Object.values(endpoint.include)
  // Every function reads the API key of its caller.
  const actions = ['dynamodb:GetItem']
  // A create looks up the entities that its body refers to, and its id if it has the form of a server id.
  if (operation === 'create' || includes.some((include) => isReadById(endpoint, include)))
    actions.push('dynamodb:BatchGetItem')
  // IAM authorises a transaction by its single writes.
  if (operation === 'create' || operation === 'update') actions.push('dynamodb:PutItem')
  if (operation === 'update' || (hasUpdate(resource) && createMayUpdate(endpoint)))
    actions.push(FORMER_ACTION)
  return actions
}

const indexesOf = ({ operation, filter, include, resource }: Endpoint): string[] => {
  const readsChildren = Object.values(include).some(({ from }) => from === 'children')
  const indexes: string[] = []
  if (operation === 'list') indexes.push(LIST_INDEX)
  if (filter !== undefined || readsChildren) indexes.push(CHILD_INDEX)
  if (operation === 'list' && resource.isMutable) indexes.push(CHANGE_INDEX)
  return indexes
}

/** The least permissions for the table. */
export const grantsOf = (deployable: Deployable): TableGrants =>
  isEndpoint(deployable)
    ? { table: actionsOf(deployable), indexes: indexesOf(deployable) }
    : { table: ['dynamodb:GetItem'], indexes: [] }
