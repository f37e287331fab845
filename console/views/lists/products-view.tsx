import { linkTo } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copy-context.tsx'
import type { ProductRow } from '../../lists/products.ts'
import { Sparkline } from '../../parts/sparkline.tsx'
import { numberColumn, Table, type TableColumn } from '../../tables/table.tsx'
import { changeFrom, money, number, plainAmount } from '../../text/format.ts'
import { type CatalogueProps, CatalogueView } from './catalogue.tsx'

const Growth = ({ trend }: { readonly trend: readonly number[] }) => {
  const [first = 0] = trend
  const last = trend.at(-1) ?? 0
  return <span class={last > first ? 'good' : ''}>{changeFrom(first, last) ?? '–'}</span>
}

const columnsIn = (currency: string): TableColumn<ProductRow>[] => {
  const count = numberColumn<ProductRow>(number)
  const amount = numberColumn<ProductRow>((value) => (value === 0 ? null : plainAmount(value, currency)))
  return [
    { key: 'label', title: 'Product and price', phone: 'name', cell: ({ label }) => <bdi>{label}</bdi> },
    count({ key: 'customers', title: 'Customers', value: ({ customers }) => customers }),
    amount({
      key: 'monthly',
      title: 'Recurring, a month',
      phone: 'amount',
      value: ({ monthly }) => monthly,
    }),
    {
      key: 'growth',
      title: '12 months',
      isNumber: true,
      phone: 'side',
      cell: ({ trend }) => (trend ? <Growth trend={trend} /> : ' '),
    },
    {
      key: 'trend',
      title: 'Trend',
      phone: 'wide',
      cell: ({ trend }) => (trend ? <Sparkline values={trend} /> : ' '),
    },
    amount({ key: 'billed', title: 'Billed, all time', value: ({ billed }) => billed }),
  ]
}

export const ProductsView = (props: CatalogueProps) => (
  <CatalogueView
    {...props}
    result={useAnswer('products', { currency: props.query.currency })}
    note="Net amounts. A customer with two products counts in both, and once in the sum. Prices that no customer has now are on the page of their product."
  >
    {({ currency, rows, sums }) => (
      <Table
        label="Products"
        kind="rows"
        columns={columnsIn(currency)}
        rows={rows}
        hrefOf={({ path }) => linkTo(path)}
        classOf={({ isPrice }) => (isPrice ? 'sub' : '')}
        sums={[
          {
            group: currency,
            label: `All products, ${currency}`,
            cells: {
              customers: number(sums.customers),
              monthly: money(sums.monthly, currency),
              billed: money(sums.billed, currency),
            },
          },
        ]}
      />
    )}
  </CatalogueView>
)
