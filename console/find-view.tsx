import { BillingApiError } from '../client/index.ts'
import { linkTo } from './address.ts'
import type { Entity } from './api.ts'
import type { Resource } from './contract.ts'
import { words } from './format.ts'
import { Loading } from './loading.tsx'
import { goTo } from './navigation.ts'
import { useSession } from './session.tsx'
import { labelOf } from './value.tsx'

interface Found {
  readonly resource: Resource
  readonly entity: Entity
}

/** Every entity with an id: the resource is decided by the prefix of the service's ids, else each is asked. */
export const FindView = ({ id }: { readonly id: string }) => {
  const { api, resources } = useSession()
  const decided = resources.filter(({ idPattern }) => idPattern.test(id))
  const ask = async (resource: Resource, signal: AbortSignal): Promise<Found[]> => {
    try {
      const entity = await api[resource.plural]!.retrieve(id, { include: 'external_id', signal })
      return [{ resource, entity }]
    } catch (error) {
      if (error instanceof BillingApiError && error.status === 404) return []
      throw error
    }
  }
  const load = async (signal: AbortSignal): Promise<Found[]> => {
    const asked = decided.length > 0 ? decided : resources
    const found = (await Promise.all(asked.map((each) => ask(each, signal)))).flat()
    const [only] = found
    if (only && found.length === 1) goTo(linkTo([only.resource.plural, only.entity.id]), true)
    return found
  }
  return (
    <main>
      <h1>
        Look up <bdi>{id}</bdi>
      </h1>
      <Loading name={id} load={load}>
        {(found) =>
          found.length === 0 ? (
            <p class="empty">Nothing has this id, neither as your own nor as the service’s.</p>
          ) : (
            <ul class="card">
              {found.map(({ resource, entity }) => (
                <li key={entity.id}>
                  {words(resource.singular)}{' '}
                  <a href={linkTo([resource.plural, entity.id])}>
                    <bdi>{labelOf(entity)}</bdi>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </main>
  )
}
