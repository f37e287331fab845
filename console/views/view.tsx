import type { VNode } from 'preact'
import { type Address, linkTo, pathWithQuery } from '../frame/address.ts'
import type { DocumentedResource } from '../frame/contract.ts'
import { useCopy, useIsComplete } from '../frame/copy-context.tsx'
import { faultOfAddress } from '../frame/parameters.ts'
import { useSession } from '../frame/session.ts'
import { isListName } from '../lists/columns.ts'
import { Heading } from '../parts/heading.tsx'
import { FinanceView } from './figures/finance-view.tsx'
import { OverviewView } from './figures/overview-view.tsx'
import type { CatalogueProps } from './lists/catalogue.tsx'
import { CopiedListView } from './lists/copied-list-view.tsx'
import { DiscountsView } from './lists/discounts-view.tsx'
import { ListView } from './lists/list-view.tsx'
import { ProductsView } from './lists/products-view.tsx'
import { CustomerView } from './records/customer-view.tsx'
import { DiscountView } from './records/discount-view.tsx'
import { FindView } from './records/find-view.tsx'
import { InvoiceView } from './records/invoice-view.tsx'
import { ProductView } from './records/product-view.tsx'
import { RecordView } from './records/record-view.tsx'
import { StatementView } from './records/statement-view.tsx'
import { SubscriptionView } from './records/subscription-view.tsx'

/** Returns the parameters of a list's request. The other parameters belong to the list from the copy. */
const servedQuery = ({ filter = '' }: DocumentedResource, query: Address['query']): Address['query'] => {
  const names = ['limit', 'cursor', 'include', 'changed_since', filter]
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)))
}

const NoSuchPage = () => (
  <main>
    <Heading name="There is no such page" />
    <a href={linkTo([])}>To the overview</a>
  </main>
)

const WrongAddress = ({ path, fault }: { readonly path: readonly string[]; readonly fault: string }) => (
  <main>
    <Heading name="This address is wrong" />
    <p role="alert">{fault}</p>
    <a href={linkTo(path, { currency: '', months: '', by: '', zone: '' })}>To the page without its choices</a>
  </main>
)

/** The views of the catalogue by their lists. They are made from the copy. */
const catalogueViews: Readonly<Record<string, (props: CatalogueProps) => VNode>> = {
  products: ProductsView,
  discounts: DiscountsView,
}

interface ResourceProps extends Address {
  readonly resource: DocumentedResource
}

/** The view of a list or a record. Lists and records of the copy are shown from it once it is complete. */
const ResourceView = ({ resource, path, query }: ResourceProps) => {
  const isComplete = useIsComplete()
  const { extent, error } = useCopy()
  const { plural } = resource
  const [, id, part] = path
  const isCopied = id === undefined ? isListName(plural) || plural in catalogueViews : plural === 'customers'
  // Until the copy in this browser is open, it is unknown whether it is complete. The service's list is not shown before then.
  if (isCopied && !extent && error === undefined)
    return (
      <main>
        <p role="status">Loading …</p>
      </main>
    )
  if (id !== undefined) {
    if (plural === 'customers' && isComplete)
      return part === 'statement' ? (
        <StatementView id={id} query={query} />
      ) : (
        <CustomerView resource={resource} id={id} />
      )
    if (plural === 'invoices') return <InvoiceView id={id} />
    if (plural === 'products') return <ProductView id={id} />
    if (plural === 'discounts') return <DiscountView id={id} />
    if (plural === 'subscriptions' && isComplete) return <SubscriptionView id={id} />
    return <RecordView resource={resource} id={id} />
  }
  const served = servedQuery(resource, query)
  // The list from the copy does not support these parameters.
  const hasServiceFilter = Boolean(query.customer_id || query.changed_since)
  if (isListName(plural) && isComplete && !hasServiceFilter)
    return <CopiedListView list={plural} resource={resource} query={query} />
  const CatalogueView = catalogueViews[plural]
  if (CatalogueView && isComplete && !hasServiceFilter)
    return <CatalogueView resource={resource} query={query} />
  return <ListView key={pathWithQuery(path, served)} resource={resource} query={served} />
}

/** The name of the view in the bar to which an address belongs. Movements are a list of the page of customers. */
export const viewOf = ({ path: [name = ''] }: Address): string => (name === 'movements' ? 'customers' : name)

export const View = ({ path, query }: Address) => {
  const { resources } = useSession()
  const [name = ''] = path
  const resource = resources.find(({ plural }) => plural === name)
  const exists = ['', 'finance', 'find', 'movements'].includes(name) || resource !== undefined
  if (!exists) return <NoSuchPage />
  const fault = faultOfAddress({ path, query }, resource)
  if (fault) return <WrongAddress path={path} fault={fault} />
  if (name === 'find') return <FindView id={query.id ?? ''} />
  if (name === 'finance') return <FinanceView query={query} />
  if (name === 'movements') return <CopiedListView list={name} query={query} />
  return resource ? (
    <ResourceView resource={resource} path={path} query={query} />
  ) : (
    <OverviewView query={query} />
  )
}

/**
 * A view is mounted again when its key changes, so the key omits the parameters that do not change what the view reads from the
 * service. A view of the copy reads nothing from it.
 */
export const keyOf = ({ path, query }: Address): string => {
  const [name = '', id] = path
  const isOfCopy = id === undefined && (name === '' || name === 'finance' || isListName(name))
  return isOfCopy ? pathWithQuery(path) : pathWithQuery(path, { ...query, zone: '', app: '' })
}
