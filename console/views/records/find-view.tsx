import { BillingApiError } from '../../../client/index.ts'
import { linkTo } from '../../frame/address.ts'
import type { DocumentedResource } from '../../frame/contract.ts'
import { useCopy, useIsComplete } from '../../frame/copy-context.tsx'
import { useSession } from '../../frame/session.ts'
import { Heading } from '../../parts/heading.tsx'
import { Loading } from '../../parts/loading.tsx'
import { entityLabel } from '../../records/entity-text.ts'
import { plainName } from '../../text/format.ts'

interface FoundRecord {
  readonly title: string
  readonly link: string
}

/**
 * An id that the copy does not contain is looked up in the service: in the resource that its prefix names, otherwise in every
 * resource. Without such a record, those of the copy whose id differs only in upper and lower case are shown.
 */
export const FindView = ({ id }: { readonly id: string }) => {
  const { api, resources } = useSession()
  const { ask } = useCopy()
  const isComplete = useIsComplete()
  const findInCopy = async () => {
    const { isExact, records } = await ask('recordsOfId', id)
    const found = records.map(({ list, id: recordId, label }): FoundRecord => {
      const singular = resources.find(({ plural }) => plural === list)?.singular ?? list
      return { title: `${plainName(singular)} ${label}`, link: linkTo([list, recordId]) }
    })
    return { isExact, found }
  }
  const findIn = async (
    { plural, singular }: DocumentedResource,
    signal: AbortSignal,
  ): Promise<FoundRecord[]> => {
    try {
      const record = await api[plural]!.retrieve(id, { include: 'external_id', signal })
      const title = `${plainName(singular)} ${entityLabel(record)}`
      return [{ title, link: linkTo([plural, record.id]) }]
    } catch (error) {
      if (error instanceof BillingApiError && error.status === 404) return []
      throw error
    }
  }
  const findInService = async (signal: AbortSignal): Promise<FoundRecord[]> => {
    const resourcesOfId = resources.filter(({ idPattern }) => idPattern.test(id))
    const searchedResources = resourcesOfId.length > 0 ? resourcesOfId : resources
    return (await Promise.all(searchedResources.map((resource) => findIn(resource, signal)))).flat()
  }
  const load = async (signal: AbortSignal): Promise<FoundRecord[]> => {
    const copied = isComplete ? await findInCopy() : { isExact: false, found: [] }
    const fromService = copied.isExact ? [] : await findInService(signal)
    const found = fromService.length > 0 ? fromService : copied.found
    // Replaces this history entry, so that going back skips this view.
    if (found.length === 1) location.replace(found[0]!.link)
    return found
  }
  return (
    <main>
      <Heading kind="Look up" name={id} />
      {/* Searches again once the copy is complete. */}
      <Loading key={String(isComplete)} load={load}>
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
