import { linkTo } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copy-context.tsx'
import { useSession } from '../../frame/session.ts'
import type { PlanInCurrency } from '../../lists/plan.ts'
import { Loading } from '../../parts/loading.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Tiles } from '../../parts/tile.tsx'
import { type Price, priceText } from '../../records/entity-text.ts'
import { ListPanel } from '../../tables/list-panel.tsx'
import { Table } from '../../tables/table.tsx'
import { counted, money, number } from '../../text/format.ts'
import { RecordPage } from './record-page.tsx'

const PlanFigures = ({ currency, months, customers, billed }: PlanInCurrency) => {
  const amounts = months.map(({ amount }) => amount)
  return (
    <Tiles
      tiles={[
        {
          title: `This plan alone, a month, net, ${currency}`,
          value: money(amounts.at(-1) ?? 0, currency),
          changes: [{ text: `In the last ${counted(months.length, 'month')}` }],
          values: amounts,
        },
        {
          title: `Customers, ${currency}`,
          value: number(customers),
          changes: [{ text: 'With this plan now' }],
        },
        {
          title: `Billed, net, ${currency}`,
          value: money(billed, currency),
          changes: [{ text: 'In all months' }],
        },
      ]}
    />
  )
}

/** The figures of a product's plan in each currency, and the subscriptions that have the plan now. */
export const ProductRevenue = ({ productId }: { readonly productId: string }) => {
  const { answer, error } = useAnswer('plan', productId)
  if (error !== undefined) return <Problem error={error} />
  if (!answer) return <p class="quiet">Figures appear once all records have been read.</p>
  return (
    <>
      {answer.currencies.map((planInCurrency) => (
        <PlanFigures key={planInCurrency.currency} {...planInCurrency} />
      ))}
      <ListPanel
        title="Subscriptions with this plan"
        note="monthly values with all plans and add-ons of each"
        none="No subscription has this plan now."
        noun="subscription"
        {...answer.subscriptions}
        isGrouped
      />
    </>
  )
}

const MAX_PRICES = 100

const Prices = ({ productId }: { readonly productId: string }) => {
  const { api } = useSession()
  const load = (signal: AbortSignal) =>
    api.prices!.list({ product_id: productId, include: 'external_id', limit: MAX_PRICES, signal })
  return (
    <Panel title="Prices">
      <Loading load={load}>
        {({ items, next_cursor }) =>
          items.length === 0 ? (
            <p class="empty">There are no prices.</p>
          ) : (
            <>
              <Table
                label="Prices"
                rows={items as Price[]}
                hrefOf={({ id }) => linkTo(['prices', id])}
                columns={[
                  { key: 'price', title: 'Price', cell: priceText },
                  { key: 'title', title: 'Title', cell: ({ title }) => title },
                  { key: 'external_id', title: 'Your id', cell: ({ external_id }) => String(external_id) },
                ]}
              />
              {next_cursor && <a href={linkTo(['prices'], { product_id: productId })}>All prices →</a>}
            </>
          )
        }
      </Loading>
    </Panel>
  )
}

export const ProductView = ({ id }: { readonly id: string }) => (
  <RecordPage kind="Product" plural="products" id={id} include="external_id">
    {(product) => (
      <>
        <ProductRevenue productId={product.id} />
        <Prices productId={product.id} />
      </>
    )}
  </RecordPage>
)
