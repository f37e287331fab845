import { linkTo } from '../frame/address.ts'
import type { DocumentedResource } from '../frame/contract.ts'
import { useCopy } from '../frame/copy-context.tsx'
import { useSession } from '../frame/session.ts'
import { Popover } from '../parts/popover.tsx'
import type { RecordedEntity } from '../records/entities.ts'
import { EntityForm } from './entity-form.tsx'

/** The resources that people create by hand. Prices, discounts and invoices come from the program that bills. */
const creatableByHand: ReadonlySet<string> = new Set(['customers', 'products'])

/** Nothing is shown if the resource is not created by hand or the key is read-only. */
export const CreationForm = ({ resource }: { readonly resource: DocumentedResource }) => {
  const { mayChange } = useSession()
  const { save } = useCopy()
  const { plural } = resource
  if (!mayChange || !creatableByHand.has(plural)) return null
  const openPage = async (entity: RecordedEntity) => {
    await save(plural, entity)
    location.hash = linkTo([plural, entity.id])
  }
  return (
    <Popover title="Create" kind="wide">
      <EntityForm resource={resource} onSaved={openPage} />
    </Popover>
  )
}
