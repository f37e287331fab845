import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '../../tools/local/http-server.ts'

/** A proxy in front of an engine, whose index partitions take a limited number of writes per second. */
export interface LimitedEngine {
  readonly endpoint: string
  /** The writes that each partition of the lists has taken. */
  readonly taken: Map<string, number>
  /** The number of writes refused. */
  refused(): number
  stop(): Promise<void>
}

interface Put {
  readonly Item?: { readonly list?: { readonly S: string } }
}

/** The partitions of the indexes that a call writes to. */
const partitionsIn = (body: string): string[] => {
  const { Item, TransactItems = [] } = JSON.parse(body) as Put & { TransactItems?: { Put?: Put }[] }
  return [{ Item }, ...TransactItems.map(({ Put }) => Put)].flatMap((put) => put?.Item?.list?.S ?? [])
}

/** Refuses a call as DynamoDB does while a partition of an index takes no more. */
const refuse = (request: IncomingMessage, response: ServerResponse): void => {
  const transaction = String(request.headers['x-amz-target']).endsWith('TransactWriteItems')
  const error = transaction
    ? { name: 'TransactionCanceledException', CancellationReasons: [{ Code: 'ThrottlingError' }] }
    : {
        name: 'ThrottlingException',
        throttlingReasons: [{ reason: 'IndexWriteKeyRangeThroughputExceeded', resource: 'by-list' }],
      }
  const { name, ...more } = error
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'Throughput exceeded', ...more }
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body))
}

/** Bursts of a tenth of a second are taken at once. DynamoDB takes longer ones, but promises none. */
const BURST_SECONDS = 0.1

/** Says of each partition whether it takes one more write now. */
const newLimits = (perSecond: number) => {
  const buckets = new Map<string, { left: number; at: number }>()
  const most = perSecond * BURST_SECONDS
  return (partition: string): boolean => {
    const at = performance.now()
    const bucket = buckets.get(partition) ?? { left: most, at }
    const left = Math.min(most, bucket.left + ((at - bucket.at) / 1_000) * perSecond)
    buckets.set(partition, { left: left >= 1 ? left - 1 : left, at })
    return left >= 1
  }
}

/** Starts a proxy that lets each partition of a list take `perSecond` creates per second, and refuses further ones. */
export const limitPartitions = async (engine: string, perSecond: number): Promise<LimitedEngine> => {
  const agent = new Agent({ keepAlive: true })
  const taken = new Map<string, number>()
  const hasRoom = newLimits(perSecond)
  let refused = 0
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const partitions = partitionsIn(body.toString())
    if (!partitions.every(hasRoom)) {
      refused += 1
      return refuse(request, response)
    }
    for (const partition of partitions) taken.set(partition, (taken.get(partition) ?? 0) + 1)
    const { host: _, ...headers } = request.headers
    httpRequest(engine, { method: 'POST', headers, agent }, (found) => {
      response.writeHead(found.statusCode!, found.headers)
      found.pipe(response)
    })
      .once('error', (error) => response.destroy(error))
      .end(body)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error))
  })
  return {
    endpoint: await listen(server, { host: '127.0.0.1', port: 0 }),
    taken,
    refused: () => refused,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      agent.destroy()
    },
  }
}
