import { useState } from 'preact/hooks'
import { Creation } from '../../forms/creation.tsx'
import { linkTo, pathWithQuery } from '../../frame/address.ts'
import type { Resource } from '../../frame/contract.ts'
import { useAnswer, useIsComplete } from '../../frame/copied.tsx'
import { useSession } from '../../frame/session.ts'
import type { PlanInCurrency } from '../../lists/plan.ts'
import { Heading } from '../../parts/heading.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Source } from '../../parts/source.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { Tile } from '../../parts/tile.tsx'
import type { Entity } from '../../records/entities.ts'
import { entityLabel } from '../../records/entity-label.ts'
import { ListSums } from '../../tables/list-sums.tsx'
import { RowsTable } from '../../tables/rows-table.tsx'
import { Table } from '../../tables/table.tsx'
import { counted, money, number, recurrence } from '../../text/format.ts'
import './document.css'
import './product-view.css'

/** A price as the service returns it. */
type Price = Entity & {
  readonly title: string | null
  readonly price: number
  readonly currency: string
  readonly interval: string | null
  readonly interval_count: number | null
}

/** Returns a price in words, such as `€29.00 monthly`. */
const priceWords = ({ price, currency, interval, interval_count }: Price): string =>
  `${money(price, currency)} ${interval ? recurrence(interval, interval_count) : 'once'}`

const MAX_PRICES = 100

const Prices = ({ productId }: { readonly productId: string }) => {
  const { api } = useSession()
  const load = (signal: AbortSignal) =>
    api.prices!.list({ product_id: productId, include: 'external_id', limit: MAX_PRICES, signal })
  return (
    <>
      <h2>Prices</h2>
      <Loading load={load}>
        {({ items, next_cursor }) =>
          items.length === 0 ? (
            <p class="empty">None.</p>
          ) : (
            <>
              <Table
                label="Prices"
                columns={['Price', 'Title', 'Your id']}
                isNumber={() => false}
                rows={(items as Price[]).map((price) => [
                  <a key={price.id} href={linkTo(['prices', price.id])}>
                    {priceWords(price)}
                  </a>,
                  price.title ?? '–',
                  String(price.external_id ?? '–'),
                ])}
              />
              {next_cursor && <a href={linkTo(['prices'], { product_id: productId })}>All prices →</a>}
            </>
          )
        }
      </Loading>
    </>
  )
}

const InCurrency = ({ currency, months, customers, billed }: PlanInCurrency) => {
  const amounts = months.map(({ amount }) => amount)
  return (
    <>
      <Tile
        title={`Recurring revenue, net, ${currency}`}
        value={money(amounts.at(-1) ?? 0, currency)}
        values={amounts}
      >
        {`A month, in the last ${counted(months.length, 'month')}`}
      </Tile>
      <Tile title={`Customers, ${currency}`} value={number(customers)}>
        With this plan now
      </Tile>
      <Tile title={`Billed, net, ${currency}`} value={money(billed, currency)}>
        In all
      </Tile>
    </>
  )
}

const Revenue = ({ productId }: { readonly productId: string }) => {
  const { answer, error } = useAnswer('plan', productId)
  if (error !== undefined) return <Problem error={error} />
  if (!answer) return <p class="quiet">The figures follow when all records are read.</p>
  const { currencies, subscriptions } = answer
  return (
    <>
      {currencies.map((each) => (
        <div key={each.currency} class="tiles">
          <InCurrency {...each} />
        </div>
      ))}
      <h2>Who has it</h2>
      {subscriptions.rows.length === 0 ? (
        <p class="empty">Nobody now.</p>
      ) : (
        <>
          <ListSums sums={subscriptions.sums} columns={subscriptions.columns} noun="subscription" />
          <RowsTable
            label="Subscriptions"
            columns={subscriptions.columns}
            rows={subscriptions.rows}
            noun="subscription"
            sums={subscriptions.sums}
            isGrouped
          />
        </>
      )}
    </>
  )
}

/** The page of a plan: what it brings, who has it, and its prices. */
export const ProductView = ({ id }: { readonly id: string }) => {
  const { api } = useSession()
  const [label, setLabel] = useState(id)
  const load = async (signal: AbortSignal) => {
    const entity = await api.products!.retrieve(id, { include: 'external_id', signal })
    setLabel(entityLabel(entity))
    return entity
  }
  return (
    <main>
      <Heading kind="Product" name={label} />
      <Loading load={load}>
        {(product) => (
          <>
            <Revenue productId={product.id} />
            <Prices productId={product.id} />
            <footer class="small">
              <p>
                Your id <code>{String(product.external_id)}</code>, our id <code>{product.id}</code>
              </p>
              <Source
                path={pathWithQuery(['products', product.id], { include: 'external_id' })}
                data={product}
              />
            </footer>
          </>
        )}
      </Loading>
    </main>
  )
}

interface ProductsViewProps {
  readonly resource: Resource
  readonly cursor: string | undefined
}

const PlanCells = ({ plans }: { readonly plans: readonly PlanInCurrency[] | undefined }) => (
  <>
    {(plans ?? []).map(({ currency, months }) => (
      <div key={currency} class="trend">
        <span>{money(months.at(-1)?.amount ?? 0, currency)}</span>
        <Sparkline values={months.map(({ amount }) => amount)} />
      </div>
    ))}
  </>
)

const ProductRows = ({ products }: { readonly products: readonly Entity[] }) => {
  const isComplete = useIsComplete()
  const { answer: plans } = useAnswer('plans', undefined)
  return (
    <Table
      label="Products"
      columns={['Product', 'Your id', 'Customers', 'Recurring revenue a month, net', 'Billed in all, net']}
      isNumber={(column) => column >= 2}
      rows={products.map((product) => {
        const own = plans?.[product.id] ?? []
        return [
          <a key={product.id} href={linkTo(['products', product.id])}>
            <bdi>{entityLabel(product)}</bdi>
          </a>,
          <bdi key="own">{String(product.external_id ?? '–')}</bdi>,
          isComplete ? number(own.reduce((sum, { customers }) => sum + customers, 0)) : '–',
          <PlanCells key="revenue" plans={own} />,
          own.map(({ currency, billed }) => money(billed, currency)).join(', ') || '–',
        ]
      })}
    />
  )
}

/** The plans, with what each brings. */
export const ProductsView = ({ resource, cursor }: ProductsViewProps) => {
  const { api } = useSession()
  const options = { include: 'external_id', cursor, limit: 100 }
  const load = (signal: AbortSignal) => api.products!.list({ ...options, signal })
  return (
    <main>
      <Heading name="Products" />
      <Creation resource={resource} />
      <Loading load={load}>
        {({ items, next_cursor, previous_cursor }) => (
          <>
            {items.length === 0 ? <p class="empty">None.</p> : <ProductRows products={items} />}
            <nav class="pages" aria-label="Pages">
              {previous_cursor && <a href={linkTo(['products'], { cursor: previous_cursor })}>← Previous</a>}
              {next_cursor && <a href={linkTo(['products'], { cursor: next_cursor })}>Next →</a>}
            </nav>
            <Source path={pathWithQuery(['products'], { include: 'external_id', cursor })} data={items} />
          </>
        )}
      </Loading>
    </main>
  )
}
