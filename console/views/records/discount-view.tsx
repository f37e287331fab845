import { linkTo } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copy-context.tsx'
import type { DiscountUse } from '../../lists/discount.ts'
import { Problem } from '../../parts/problem.tsx'
import { Tile } from '../../parts/tile.tsx'
import { type DiscountTerms, discountTermsText } from '../../records/discount-text.ts'
import type { Entity } from '../../records/entities.ts'
import { counted, money } from '../../text/format.ts'
import { RecordPage } from './record-page.tsx'

interface UseTileProps extends DiscountUse {
  readonly discountId: string
}

/** The cost of a discount in one currency, with a link to its invoices. */
const UseTile = ({ discountId, currency, amount, invoices, sharedInvoices, customers }: UseTileProps) => (
  <Tile title={`Discounted, ${currency}`} value={money(amount, currency)}>
    <a href={linkTo(['invoices'], { discount: discountId, currency })}>{counted(invoices, 'invoice')}</a>
    {` of ${counted(customers, 'customer')}`}
    {sharedInvoices > 0 && `, of which ${sharedInvoices} have other discounts too`}
  </Tile>
)

/** The terms of a discount, and its cost in each currency. */
const Uses = ({ discount }: { readonly discount: Entity }) => {
  const { answer: uses, error } = useAnswer('discountUses', discount.id)
  return (
    <>
      {error !== undefined && <Problem error={error} />}
      <div class="tiles">
        <Tile title="Terms" value={discountTermsText(discount as Entity & DiscountTerms)}>
          {uses?.length === 0 && 'No invoice has this discount.'}
        </Tile>
        {uses?.map((use) => (
          <UseTile key={use.currency} discountId={discount.id} {...use} />
        ))}
      </div>
    </>
  )
}

/** The page of a discount: its terms, its cost, and the link to the invoices that have it. */
export const DiscountView = ({ id }: { readonly id: string }) => (
  <RecordPage kind="Discount" plural="discounts" id={id} include="external_id">
    {(discount) => <Uses discount={discount} />}
  </RecordPage>
)
