import type { APIGatewayProxyEvent } from 'aws-lambda'
import { catalogue } from '../../shared/catalogue.ts'
import { ApiError } from '../../shared/errors.ts'
import { validate } from '../../shared/http/validate.ts'
import { invoiceBody } from '../bodies.ts'
import { floodBytes, floods } from '../floods.ts'
import { interleaved } from '../interleave.ts'
import type { Piece } from '../piece.ts'

const LINES = 250

/** Returns functions that measure an endpoint's validation of a body, and JSON.parse of that body, in milliseconds. */
const timesOf = (endpointId: string, text: string) => {
  const endpoint = catalogue.find(({ id }) => id === endpointId)!
  const middleware = validate(endpoint, {})
  return {
    validate: async (): Promise<number> => {
      const event = { body: JSON.parse(text), headers: {} } as unknown as APIGatewayProxyEvent
      const internal = { text, app: { id: 'bench', cursorSecret: 'bench' } }
      const start = performance.now()
      try {
        await middleware.before?.({ event, internal } as never)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
      return performance.now() - start
    },
    parse: async (): Promise<number> => {
      const start = performance.now()
      JSON.parse(text)
      return performance.now() - start
    },
  }
}

/** R13: the time to validate bodies of the maximum size, and whether it grows faster than the size. */
export const validation: Piece = {
  ids: ['R13'],
  run: async ({ progress, long }) => {
    const { whole, half } = floodBytes
    const timed = (kind: string, bytes: number) => timesOf(floods[kind]!.endpoint, floods[kind]!.body(bytes))
    const rounds = { rounds: long ? 101 : 31, progress }
    const times = await interleaved(
      Object.fromEntries(Object.keys(floods).map((kind) => [kind, timed(kind, whole).validate] as const)),
      rounds,
    )
    const [slowest] = Object.entries(times).toSorted(([, a], [, b]) => b - a)[0]!
    const { valid, full, halved, parse } = await interleaved(
      {
        valid: timesOf('invoices.create', JSON.stringify(invoiceBody('invoice-1', LINES))).validate,
        full: timed(slowest, whole).validate,
        halved: timed(slowest, half).validate,
        parse: timed(slowest, whole).parse,
      },
      rounds,
    )
    const kinds = `slowest of ${Object.keys(floods).length} kinds`
    const row = (what: string, ours: number) => ({ what, unit: 'ms', ours })
    return [
      { ...row(`validating an invoice of ${LINES} lines`, valid), goal: { most: 5 } },
      { ...row(`validating 256 KiB of ${slowest}, ${kinds}`, full), goal: { most: 5 } },
      { ...row(`the same over 128 KiB of ${slowest}`, full), baseline: halved, goal: { most: 2.5 } },
      row('the same, parsed by JSON.parse', parse),
    ]
  },
}
