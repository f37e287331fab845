import { preflightHeadersFor } from '../../shared/http/cors.ts'
import type { FixedAnswer } from './mock-method.ts'

/** Returns the answer to a CORS preflight: the methods and headers that a page of `origin` may send. */
export const preflight = (origin: string, methods: readonly string[]): FixedAnswer => ({
  status: '204',
  body: '',
  headers: Object.fromEntries(
    Object.entries(preflightHeadersFor(origin, methods)).map(([name, value]) => [name, `'${value}'`]),
  ),
})
