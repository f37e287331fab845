import { serve } from '../../shared/http/serve.ts'
import { customer } from '../../shared/resources/customer.ts'
import { discount } from '../../shared/resources/discount.ts'
import { invoices } from '../../shared/resources/invoice.ts'
import { price } from '../../shared/resources/price.ts'
import { product } from '../../shared/resources/product.ts'
import { subscription } from '../../shared/resources/subscription.ts'
import { list } from '../../shared/store/operations.ts'

/** GET /api/invoices */
export const handler = serve(invoices.list, list, { customer, discount, price, product, subscription })
