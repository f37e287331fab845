import type { DocumentedResource } from '../frame/contract.ts'
import { useSession } from '../frame/session.ts'
import { Popover } from '../parts/popover.tsx'
import { Preformatted } from '../parts/preformatted.tsx'
import type { RecordedEntity } from '../records/entities.ts'
import { EntityForm } from './entity-form.tsx'
import { Form, trimmedText } from './form.tsx'

interface ErasureProps {
  readonly customer: RecordedEntity
  readonly onSaved: (customer: RecordedEntity) => void
}

const Erasure = ({ customer, onSaved }: ErasureProps) => {
  const { api } = useSession()
  const erase = async (data: FormData) => {
    const isConfirmed = [customer.id, customer.external_id].includes(trimmedText(data, 'erased_id'))
    if (!isConfirmed) throw new Error('This is not the id of this customer. Nothing was erased.')
    onSaved(await api.customers!.anonymise(customer.id))
  }
  return (
    <Form class="card danger" action="Erase for ever" send={erase}>
      <p>
        Erasure replaces the name and the email address with placeholders, and deletes the note, the phone
        number and all other personal data. Invoices, subscriptions and both ids stay, and so does this
        metadata:
      </p>
      <Preformatted text={JSON.stringify(customer.metadata, null, 2)} />
      <label>
        Type the id of the customer to erase
        <input name="erased_id" required autocomplete="off" spellcheck={false} />
      </label>
    </Form>
  )
}

interface CustomerChangesProps extends ErasureProps {
  readonly resource: DocumentedResource
}

export const CustomerChanges = ({ resource, customer, onSaved }: CustomerChangesProps) => (
  <>
    <Popover title="Edit" kind="wide">
      <EntityForm resource={resource} entity={customer} onSaved={onSaved} />
    </Popover>
    <Popover title="Erase" kind="wide">
      <Erasure customer={customer} onSaved={onSaved} />
    </Popover>
  </>
)
