import { Creation } from '../../forms/creation.tsx'
import { linkTo, pathWithQuery } from '../../frame/address.ts'
import type { Resource } from '../../frame/contract.ts'
import { useAnswer, useIsComplete } from '../../frame/copy-context.tsx'
import { useSession } from '../../frame/session.ts'
import type { PlanInCurrency } from '../../lists/plan.ts'
import { Heading } from '../../parts/heading.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageLinks } from '../../parts/page-links.tsx'
import { Source } from '../../parts/source.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import type { Entity } from '../../records/entities.ts'
import { entityLabel } from '../../records/entity-label.ts'
import { Table } from '../../tables/table.tsx'
import { money, number } from '../../text/format.ts'
import './products-view.css'

/** The recurring revenue of a product's plan in each currency, with its trend. */
const RevenueTrends = ({ plans }: { readonly plans: readonly PlanInCurrency[] }) => (
  <>
    {plans.map(({ currency, months }) => (
      <div key={currency} class="trend">
        <span>{money(months.at(-1)?.amount ?? 0, currency)}</span>
        <Sparkline values={months.map(({ amount }) => amount)} />
      </div>
    ))}
  </>
)

/** The products as a table. The columns of figures are empty until the copy is complete. */
const ProductTable = ({ products }: { readonly products: readonly Entity[] }) => {
  const isComplete = useIsComplete()
  const { answer: plansByProduct } = useAnswer('plans', undefined)
  const rows = products.map((product) => {
    const plans = plansByProduct?.[product.id] ?? []
    const customers = plans.reduce((sum, plan) => sum + plan.customers, 0)
    return [
      <a key="product" href={linkTo(['products', product.id])}>
        <bdi>{entityLabel(product)}</bdi>
      </a>,
      <bdi key="external_id">{String(product.external_id ?? '–')}</bdi>,
      isComplete ? number(customers) : '–',
      <RevenueTrends key="revenue" plans={plans} />,
      plans.map(({ currency, billed }) => money(billed, currency)).join(', ') || '–',
    ]
  })
  return (
    <Table
      label="Products"
      columns={['Product', 'Your id', 'Customers', 'Monthly recurring revenue, net', 'Billed in total, net']}
      isNumber={(columnIndex) => columnIndex >= 2}
      rows={rows}
    />
  )
}

interface ProductsViewProps {
  readonly resource: Resource
  /** The cursor of the page; undefined for the first page. */
  readonly cursor: string | undefined
}

/** The list of products, each with the figures of its plan. */
export const ProductsView = ({ resource, cursor }: ProductsViewProps) => {
  const { api } = useSession()
  const load = (signal: AbortSignal) =>
    api.products!.list({ include: 'external_id', cursor, limit: 100, signal })
  const linkToPage = (pageCursor: string | null) =>
    pageCursor === null ? undefined : linkTo(['products'], { cursor: pageCursor })
  return (
    <main>
      <Heading name="Products" />
      <Creation resource={resource} />
      <Loading load={load}>
        {({ items, next_cursor, previous_cursor }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">There are no products.</p>
            ) : (
              <ProductTable products={items} />
            )}
            <PageLinks previous={linkToPage(previous_cursor)} next={linkToPage(next_cursor)} />
            <Source path={pathWithQuery(['products'], { include: 'external_id', cursor })} data={items} />
          </>
        )}
      </Loading>
    </main>
  )
}
