import { priceDate } from '../../bench/prices.ts'
import { setLogSink } from '../../shared/log.ts'
import { startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { type Ask, measure } from './measure.ts'
import { costTable } from './table.ts'

/** Measures what every operation takes, on a service of its own in memory, and prints what a million calls cost. */

/** What CloudWatch adds to every line that it takes in. */
const LINE_OVERHEAD = 26

// Lambda tells every request's trace and the function's version, which the line names.
process.env._X_AMZN_TRACE_ID = 'Root=1-5759e988-bd862e3fe1be46a994272793'
process.env.AWS_LAMBDA_FUNCTION_VERSION = '123'
let lines = 0
let bytes = 0
setLogSink((line) => {
  lines += 1
  bytes += Buffer.byteLength(line) + LINE_OVERHEAD
})
const { baseUrl, demo, stop } = await startService(
  localSettings({ PORT: '0', DYNAMODB_PORT: '0' }, ['--memory']),
)
const ask: Ask = async (method, path, body) => {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${demo.api_key}`,
      'x-app-id': demo.app_id,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json = (await response.json()) as { data: Record<string, never> }
  if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`)
  return json.data
}
const usages = await measure(ask)
await stop()
console.log(`US dollars for a million calls, us-east-1, ${priceDate}:\n`)
console.log(costTable(usages, bytes / lines))
