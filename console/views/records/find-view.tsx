import { linkTo } from '../../frame/address.ts'
import type { Resource } from '../../frame/contract.ts'
import { useSession } from '../../frame/session.ts'
import { Heading } from '../../parts/heading.tsx'
import { Loading } from '../../parts/loading.tsx'
import { entityLabel } from '../../records/entity-label.ts'
import { plainName } from '../../text/format.ts'

/** Every entity with an id. The form of the service's ids decides the resource; else every resource is asked. */
export const FindView = ({ id }: { readonly id: string }) => {
  const { api, resources } = useSession()
  const decided = resources.filter(({ idPattern }) => idPattern.test(id))
  const ask = ({ plural, singular }: Resource, signal: AbortSignal) =>
    api[plural]!.retrieve(id, { include: 'external_id', signal }).then(
      (entity) => [
        { title: `${plainName(singular)} ${entityLabel(entity)}`, link: linkTo([plural, entity.id]) },
      ],
      (error) => {
        if (error.status === 404) return []
        throw error
      },
    )
  const load = async (signal: AbortSignal) => {
    const asked = decided.length > 0 ? decided : resources
    const found = (await Promise.all(asked.map((each) => ask(each, signal)))).flat()
    // Replaces this history entry, so that going back skips this view.
    if (found.length === 1) location.replace(found[0]!.link)
    return found
  }
  return (
    <main>
      <Heading kind="Look up" name={id} />
      <Loading load={load}>
        {(found) =>
          found.length === 0 ? (
            <p class="empty">
              No customer has this name, email address or id, and no other record has this id, whether yours
              or ours.
            </p>
          ) : (
            <ul class="card">
              {found.map(({ title, link }) => (
                <li key={link}>
                  <a href={link}>
                    <bdi>{title}</bdi>
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
