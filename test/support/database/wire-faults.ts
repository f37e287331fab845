import { setTimeout as pause } from 'node:timers/promises'
import { budget } from '../../../shared/budget.ts'
import type { WireCall, WireFault } from './fault-proxy.ts'

/** A part of every text from DynamoDB or the network. It must never appear in a response. */
export const INTERNAL_TEXT = 'arn:aws:dynamodb:inside'

export interface Fault {
  readonly name: string
  readonly wire: WireFault
  /** 503 for a temporary fault, 500 for a mistake of the service or its deployment, if the fault lasts. */
  readonly status: 500 | 503
  /** A request retries the call. */
  readonly retried: boolean
  /** An attempt takes as long as the budget allows. */
  readonly slow: boolean
  /** Undefined for all calls. */
  readonly labels?: readonly string[]
}

const amzJson = { 'content-type': 'application/x-amz-json-1.0' }

const exception =
  (name: string, { status = 400, members = {} }: { status?: number; members?: object } = {}): WireFault =>
  ({ response }) => {
    const __type = `com.amazonaws.dynamodb.v20120810#${name}`
    response
      .writeHead(status, amzJson)
      .end(JSON.stringify({ __type, message: `Said by ${INTERNAL_TEXT}`, ...members }))
  }

/** Gives a reason for the last part only. */
const cancelled =
  (reason: string): WireFault =>
  (call) => {
    const { TransactItems = [] } = JSON.parse(call.body.toString()) as { TransactItems?: unknown[] }
    const CancellationReasons = TransactItems.map((_, index) =>
      index === TransactItems.length - 1 ? { Code: reason, Message: INTERNAL_TEXT } : { Code: 'None' },
    )
    return exception('TransactionCanceledException', { members: { CancellationReasons } })(call)
  }

const reset = ({ request }: WireCall): void => {
  request.socket.resetAndDestroy()
}

/**
 * Leaves out one of the items that a batch read found, and returns its key as unprocessed, as a busy table
 * does.
 */
const unprocessed: WireFault = async ({ forward, response }) => {
  const { status, body } = await forward()
  const { Responses } = JSON.parse(body.toString()) as {
    Responses: Record<string, Record<'pk' | 'sk', unknown>[]>
  }
  const UnprocessedKeys = Object.fromEntries(
    Object.entries(Responses).flatMap(([table, items]) => {
      const leftOut = items.pop()
      if (!leftOut) return []
      return [[table, { Keys: [{ pk: leftOut.pk, sk: leftOut.sk }], ConsistentRead: true }]]
    }),
  )
  response.writeHead(status, amzJson).end(JSON.stringify({ Responses, UnprocessedKeys }))
}

const throttlingReasons = {
  ThrottlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: INTERNAL_TEXT }],
}

/** It ends long before the time of an attempt is over. */
const quick = { status: 503, retried: true, slow: false } as const
/** It uses up the time of an attempt. */
const slow = { status: 503, retried: true, slow: true } as const
/** No retry mends a mistake of the service or its deployment. */
const permanent = { status: 500, retried: false, slow: false } as const
const transactions = ['TransactWriteItems']
export const writeLabels = ['PutItem', 'TransactWriteItems']

const faultsWith = (properties: Omit<Fault, 'name' | 'wire'>, faults: Record<string, WireFault>): Fault[] =>
  Object.entries(faults).map(([name, wire]) => ({ name, wire, ...properties }))

/**
 * As faults between a handler and DynamoDB are on the wire. Which errors of DynamoDB are temporary is tested
 * in test/store/aws/failure.test.ts.
 */
export const wireFaults: readonly Fault[] = [
  ...faultsWith(quick, {
    throttled: exception('ThrottlingException', { members: throttlingReasons }),
    'internal server error': exception('InternalServerError', { status: 500 }),
    'service unavailable': ({ response }) => {
      response.writeHead(503, { 'content-type': 'text/html' }).end(`<html>${INTERNAL_TEXT}</html>`)
    },
    'reset before commit': reset,
    'reset after commit': async (call) => {
      await call.forward()
      reset(call)
    },
    'truncated response': async ({ response, forward }) => {
      const { status, body } = await forward()
      response.writeHead(status, { ...amzJson, 'content-length': body.length })
      response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy())
    },
    'garbled response': async (call) => {
      const { body } = await call.forward()
      call.response.writeHead(200, amzJson).end(`${body.toString()}<${INTERNAL_TEXT}>`)
    },
    'response that is not HTTP': ({ request }) => {
      request.socket.end(`${INTERNAL_TEXT}\r\n\r\n`)
    },
  }),
  ...faultsWith(
    { ...quick, labels: transactions },
    { 'transaction cancelled by throttling': cancelled('ThrottlingError') },
  ),
  ...faultsWith(slow, {
    hang: () => undefined,
    'hang after commit': async ({ forward }) => {
      await forward()
    },
    'response that trickles': async ({ response, forward }) => {
      const { status, body } = await forward()
      response.writeHead(status, { ...amzJson, 'content-length': body.length })
      const steps = Math.min(body.length, 6)
      for (const byte of body) {
        if (response.destroyed) return
        response.write(Buffer.of(byte))
        await pause((1.5 * budget.attempt) / (steps - 1), undefined, { ref: false })
      }
    },
  }),
  ...faultsWith(
    { ...slow, labels: transactions },
    { 'transaction cancelled by a conflict': cancelled('TransactionConflict') },
  ),
  ...faultsWith(
    { ...slow, labels: writeLabels },
    { 'transaction conflict': exception('TransactionConflictException') },
  ),
  ...faultsWith({ ...slow, labels: ['BatchGetItem'] }, { 'unprocessed keys': unprocessed }),
  ...faultsWith(permanent, { 'access denied': exception('AccessDeniedException') }),
]

export const wireFault = (name: string): WireFault => wireFaults.find((fault) => fault.name === name)!.wire
