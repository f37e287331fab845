import { BillingApiError } from '../client/index.ts'
import { linkTo } from './address.ts'
import type { Resource } from './contract.ts'
import { words } from './format.ts'
import { Loading } from './loading.tsx'
import { labelOf } from './records.tsx'
import { useSession } from './session.ts'

/** Every entity with an id. The form of the service's ids decides the resource; else every resource is asked. */
export const FindView = ({ id }: { readonly id: string }) => {
  const { api, resources } = useSession()
  const decided = resources.filter(({ idPattern }) => idPattern.test(id))
  const ask = async ({ plural, singular }: Resource, signal: AbortSignal) => {
    try {
      const entity = await api[plural]!.retrieve(id, { include: 'external_id', signal })
      return [{ singular, entity, link: linkTo([plural, entity.id]) }]
    } catch (error) {
      if (error instanceof BillingApiError && error.status === 404) return []
      throw error
    }
  }
  const load = async (signal: AbortSignal) => {
    const asked = decided.length > 0 ? decided : resources
    const found = (await Promise.all(asked.map((each) => ask(each, signal)))).flat()
    // In place of this view, so that the way back does not lead here again.
    if (found.length === 1) location.replace(found[0]!.link)
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
            <p class="empty">Nothing has this id, whether as yours or as the service’s.</p>
          ) : (
            <ul class="card">
              {found.map(({ singular, entity, link }) => (
                <li key={link}>
                  {words(singular)}{' '}
                  <a href={link}>
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
