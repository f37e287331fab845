import { linkTo } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copy-context.tsx'
import { useSession } from '../../frame/session.ts'
import type { PlanInCurrency } from '../../lists/plan.ts'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Tile } from '../../parts/tile.tsx'
import type { Entity } from '../../records/entities.ts'
import { ListSums } from '../../tables/list-sums.tsx'
import { RowsTable } from '../../tables/rows-table.tsx'
import { Table } from '../../tables/table.tsx'
import { counted, money, number, recurrence } from '../../text/format.ts'
import { RecordPage } from './record-page.tsx'

/** The figures of a plan in one currency. */
const PlanFigures = ({ currency, months, customers, billed }: PlanInCurrency) => {
  const amounts = months.map(({ amount }) => amount)
  return (
    <div class="tiles">
      <Tile
        title={`Monthly recurring revenue, net, ${currency}`}
        value={money(amounts.at(-1) ?? 0, currency)}
        values={amounts}
      >
        {`In the last ${counted(months.length, 'month')}`}
      </Tile>
      <Tile title={`Customers, ${currency}`} value={number(customers)}>
        With this plan now
      </Tile>
      <Tile title={`Billed, net, ${currency}`} value={money(billed, currency)}>
        In all months
      </Tile>
    </div>
  )
}

/** The figures of a product's plan in each currency, and the subscriptions that have the plan now. */
const Revenue = ({ productId }: { readonly productId: string }) => {
  const { answer, error } = useAnswer('plan', productId)
  if (error !== undefined) return <Problem error={error} />
  if (!answer) return <p class="quiet">Figures appear once all records have been read.</p>
  const { currencies, subscriptions } = answer
  const { columns, rows, sums } = subscriptions
  return (
    <>
      {currencies.map((planInCurrency) => (
        <PlanFigures key={planInCurrency.currency} {...planInCurrency} />
      ))}
      <h2>Subscriptions with this plan</h2>
      {rows.length === 0 ? (
        <p class="empty">No subscription has this plan now.</p>
      ) : (
        <>
          <ListSums sums={sums} columns={columns} noun="subscription" />
          <RowsTable
            label="Subscriptions"
            columns={columns}
            rows={rows}
            noun="subscription"
            sums={sums}
            isGrouped
          />
        </>
      )}
    </>
  )
}

/** A price as the service returns it. */
type Price = Entity & {
  readonly title: string | null
  readonly price: number
  readonly currency: string
  readonly interval: string | null
  readonly interval_count: number | null
}

/** Returns the amount of a price with its interval, such as `€29.00 monthly`. */
const priceText = ({ price, currency, interval, interval_count }: Price): string =>
  `${money(price, currency)} ${interval ? recurrence(interval, interval_count) : 'once'}`

const MAX_PRICES = 100

/** The newest prices of a product. */
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
            <p class="empty">There are no prices.</p>
          ) : (
            <>
              <Table
                label="Prices"
                columns={['Price', 'Title', 'Your id']}
                isNumber={() => false}
                rows={(items as Price[]).map((price) => [
                  <a key={price.id} href={linkTo(['prices', price.id])}>
                    {priceText(price)}
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

/** The page of a product: the figures of its plan, the subscriptions that have it, and its prices. */
export const ProductView = ({ id }: { readonly id: string }) => (
  <RecordPage kind="Product" plural="products" id={id} include="external_id">
    {(product) => (
      <>
        <Revenue productId={product.id} />
        <Prices productId={product.id} />
      </>
    )}
  </RecordPage>
)
