import { serve } from '../../shared/http/serve.ts'
import { prices } from '../../shared/resources/price.ts'
import { create, createOrUpdate } from '../../shared/store/operations.ts'

/** POST /api/prices */
export const handler = serve(prices.create, (call) =>
  call.options.on_conflict === 'update' ? createOrUpdate(call) : create(call),
)
