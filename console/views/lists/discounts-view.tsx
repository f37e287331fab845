import { linkTo } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copy-context.tsx'
import { useTimeZone } from '../../frame/time-zone.ts'
import { Table } from '../../tables/table.tsx'
import { day } from '../../text/dates.ts'
import { money, number, percent, plainAmount } from '../../text/format.ts'
import { type CatalogueProps, CatalogueView } from './catalogue.tsx'

export const DiscountsView = (props: CatalogueProps) => {
  const timeZone = useTimeZone()
  return (
    <CatalogueView
      {...props}
      result={useAnswer('discounts', { currency: props.query.currency })}
      note="The cost is the discount of all lines of the invoices that name it. An invoice that names several discounts counts whole for each. Running: active subscriptions whose latest invoice has it."
    >
      {({ currency, rows, recentlyBilled }) => {
        const amount = (value: number) => (value === 0 ? null : plainAmount(value, currency))
        const recentCost = rows.reduce((sum, row) => sum + row.recentCost, 0)
        const shareOf = (cost: number) => (recentlyBilled > 0 ? percent(cost / recentlyBilled) : null)
        return (
          <Table
            label="Discounts"
            kind="rows"
            rows={rows}
            hrefOf={({ id }) => linkTo(['discounts', id])}
            columns={[
              { key: 'label', title: 'Discount', phone: 'name', cell: ({ label }) => <bdi>{label}</bdi> },
              { key: 'terms', title: 'Terms', phone: 'note', cell: ({ terms }) => terms },
              {
                key: 'customers',
                title: 'Customers',
                isNumber: true,
                cell: ({ customers }) => number(customers),
              },
              {
                key: 'running',
                title: 'Running now',
                isNumber: true,
                phone: 'wide',
                cell: ({ running }) => number(running),
              },
              {
                key: 'end',
                title: 'Next end',
                phone: 'side',
                cell: ({ nextEnd }) => (nextEnd === undefined ? null : day(nextEnd, timeZone)),
              },
              {
                key: 'recent',
                title: 'Cost, 12 months',
                isNumber: true,
                phone: 'amount',
                cell: (row) => amount(row.recentCost),
              },
              {
                key: 'share',
                title: 'Of what was billed',
                isNumber: true,
                phone: 'wide',
                cell: (row) => shareOf(row.recentCost),
              },
              { key: 'cost', title: 'Cost, all time', isNumber: true, cell: ({ cost }) => amount(cost) },
            ]}
            sums={[
              {
                group: currency,
                label: `All discounts, ${currency}`,
                cells: { recent: money(recentCost, currency), share: shareOf(recentCost) },
              },
            ]}
          />
        )
      }}
    </CatalogueView>
  )
}
