import { BillingApiError } from '../../../client/index.ts'
import { linkTo } from '../../frame/address.ts'
import type { Resource } from '../../frame/contract.ts'
import { useSession } from '../../frame/session.ts'
import { Heading } from '../../parts/heading.tsx'
import { Loading } from '../../parts/loading.tsx'
import { entityLabel } from '../../records/entity-label.ts'
import { plainName } from '../../text/format.ts'

interface FoundRecord {
  readonly title: string
  readonly link: string
}

/**
 * The records with an id, either the user's own or the service's. An id of the service has a prefix that tells its resource. For
 * any other id, every resource is asked.
 */
export const FindView = ({ id }: { readonly id: string }) => {
  const { api, resources } = useSession()
  const findIn = async ({ plural, singular }: Resource, signal: AbortSignal): Promise<FoundRecord[]> => {
    try {
      const record = await api[plural]!.retrieve(id, { include: 'external_id', signal })
      const title = `${plainName(singular)} ${entityLabel(record)}`
      return [{ title, link: linkTo([plural, record.id]) }]
    } catch (error) {
      if (error instanceof BillingApiError && error.status === 404) return []
      throw error
    }
  }
  const load = async (signal: AbortSignal): Promise<FoundRecord[]> => {
    const resourcesOfId = resources.filter(({ idPattern }) => idPattern.test(id))
    const asked = resourcesOfId.length > 0 ? resourcesOfId : resources
    const found = (await Promise.all(asked.map((resource) => findIn(resource, signal)))).flat()
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
