import { linkTo } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copy-context.tsx'
import { useTimeZone } from '../../frame/time-zone.ts'
import type { DiscountRow } from '../../lists/discount.ts'
import { numberColumn, Table } from '../../tables/table.tsx'
import { day } from '../../text/dates.ts'
import { money, number, percentText, plainAmount } from '../../text/format.ts'
import { type CatalogueProps, CatalogueView } from './catalogue.tsx'

export const DiscountsView = (props: CatalogueProps) => {
  const timeZone = useTimeZone()
  return (
    <CatalogueView
      {...props}
      result={useAnswer('discounts', { currency: props.query.currency })}
      note="The cost is the discount of all lines of the invoices that name it. An invoice that names several discounts counts whole for each, and once in the sum. Running: active subscriptions whose latest invoice has it."
    >
      {({ currency, rows, recentCost, recentFullAmount }) => {
        const count = numberColumn<DiscountRow>(number)
        const amount = numberColumn<DiscountRow>((value) =>
          value === 0 ? null : plainAmount(value, currency),
        )
        const shareOf = (cost: number) => (recentFullAmount > 0 ? percentText(cost / recentFullAmount) : null)
        return (
          <Table
            label="Discounts"
            kind="rows"
            rows={rows}
            hrefOf={({ id }) => linkTo(['discounts', id])}
            columns={[
              { key: 'label', title: 'Discount', phone: 'name', cell: ({ label }) => <bdi>{label}</bdi> },
              { key: 'terms', title: 'Terms', phone: 'note', cell: ({ terms }) => terms },
              count({ key: 'customers', title: 'Customers', value: ({ customers }) => customers }),
              count({
                key: 'running',
                title: 'Running now',
                phone: 'wide',
                value: ({ running }) => running,
              }),
              {
                key: 'end',
                title: 'Next end',
                phone: 'side',
                cell: ({ nextEnd }) => (nextEnd === undefined ? null : day(nextEnd, timeZone)),
              },
              amount({
                key: 'recent',
                title: 'Cost, 12 months',
                phone: 'amount',
                value: (row) => row.recentCost,
              }),
              numberColumn<DiscountRow>(shareOf)({
                key: 'share',
                title: 'Of full prices',
                phone: 'wide',
                value: (row) => row.recentCost,
              }),
              amount({ key: 'cost', title: 'Cost, all time', value: ({ cost }) => cost }),
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
