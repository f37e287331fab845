import { linkTo } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copy-context.tsx'
import type { DiscountUse } from '../../lists/discount.ts'
import { Problem } from '../../parts/problem.tsx'
import { type TileData, Tiles } from '../../parts/tile.tsx'
import type { RecordedEntity } from '../../records/entities.ts'
import { type DiscountTerms, discountTermsText } from '../../records/entity-text.ts'
import { ListPanel } from '../../tables/list-panel.tsx'
import { counted, money, number } from '../../text/format.ts'
import { RecordPage } from './record-page.tsx'

const tileOfUse = ({ currency, amount, invoices, sharedInvoices, customers }: DiscountUse): TileData => ({
  title: `Cost, ${currency}`,
  value: money(amount, currency),
  changes: [{ text: `${counted(customers, 'customer')}, ${counted(invoices, 'invoice')}` }],
  details: [{ term: 'Invoices with other discounts too', value: number(sharedInvoices) }],
  explanation:
    'The discounts of all lines of the invoices that name it. An invoice that names several counts whole.',
})

export const DiscountUses = ({ discount }: { readonly discount: RecordedEntity }) => {
  const { answer, error } = useAnswer('discount', discount.id)
  if (error !== undefined) return <Problem error={error} />
  if (!answer) return <p class="quiet">Figures appear once all records have been read.</p>
  const { uses } = answer
  return (
    <>
      <Tiles
        tiles={[
          { title: 'Terms', value: discountTermsText(discount as RecordedEntity & DiscountTerms) },
          ...uses.map(tileOfUse),
        ]}
      />
      <p class="chips">
        {uses.map(({ currency }) => (
          <a key={currency} class="link" href={linkTo(['invoices'], { discount: discount.id, currency })}>
            {`Invoices with it in ${currency}`}
          </a>
        ))}
        {uses.length === 0 && 'No invoice has this discount.'}
      </p>
      <ListPanel
        title="Running now"
        note="active subscriptions whose latest invoice has it"
        none="No active subscription has this discount."
        noun="subscription"
        {...answer.subscriptions}
        isGrouped
      />
    </>
  )
}

export const DiscountView = ({ id }: { readonly id: string }) => (
  <RecordPage kind="Discount" plural="discounts" id={id} include="external_id">
    {(discount) => <DiscountUses discount={discount} />}
  </RecordPage>
)
