import type { Resource } from '../shared/contract/resource.ts'
import { exampleBody } from '../shared/openapi/examples.ts'
import { customer } from '../shared/resources/customer.ts'
import { discount } from '../shared/resources/discount.ts'
import { invoice } from '../shared/resources/invoice.ts'
import { price } from '../shared/resources/price.ts'

/** The request bodies that are measured: the examples of the document. They refer to a product `product` and so on. */
type Body = Readonly<Record<string, unknown>> & { readonly id: string }

const bodyOf =
  (resource: Resource) =>
  (id: string): Body => ({ ...exampleBody(resource, ({ name }) => name), id })

export const customerBody = bodyOf(customer)
export const priceBody = bodyOf(price)
export const discountBody = bodyOf(discount)

/** An invoice with this many lines and no discount, of a subscription of its own. */
export const invoiceBody = (id: string, lines: number) => {
  const { discounts: _, line_items, ...body } = bodyOf(invoice)(id)
  const [line] = line_items as object[]
  return {
    ...body,
    subscription_id: `subscription-${id}`,
    line_items: Array.from({ length: lines }, (_, index) => ({ ...line, id: `line-${index}` })),
  }
}
