import { serve } from '../../shared/http/serve.ts'
import { discounts } from '../../shared/resources/discount.ts'
import { create, createOrUpdate } from '../../shared/store/operations.ts'

/** POST /api/discounts */
export const handler = serve(discounts.create, (call) =>
  call.options.on_conflict === 'update' ? createOrUpdate(call) : create(call),
)
