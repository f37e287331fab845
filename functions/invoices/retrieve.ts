import { serve } from '../../shared/http/serve.ts'
import { customer } from '../../shared/resources/customer.ts'
import { discount } from '../../shared/resources/discount.ts'
import { invoices } from '../../shared/resources/invoice.ts'
import { price } from '../../shared/resources/price.ts'
import { product } from '../../shared/resources/product.ts'
import { subscription } from '../../shared/resources/subscription.ts'
import { retrieve } from '../../shared/store/operations.ts'

/** GET /api/invoices/{id} */
export const handler = serve(invoices.retrieve, retrieve, {
  customer,
  discount,
  price,
  product,
  subscription,
})
