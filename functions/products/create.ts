import { serve } from '../../shared/http/serve.ts'
import { products } from '../../shared/resources/product.ts'
import { create, createOrUpdate } from '../../shared/store/operations.ts'

/** POST /api/products */
export const handler = serve(products.create, (call) =>
  call.options.on_conflict === 'update' ? createOrUpdate(call) : create(call),
)
