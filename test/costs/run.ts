import { priceDate } from '../../bench/prices.ts'
import { setLogSink } from '../../shared/log.ts'
import { startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { measure } from './measure.ts'
import { costTable } from './table.ts'

/** Measures every operation on a service in memory, and prints the cost of a million calls. */

/** The bytes that CloudWatch adds to every log line. */
const LINE_OVERHEAD = 26

// Set as on Lambda, since the log line contains both.
process.env._X_AMZN_TRACE_ID = 'Root=1-5759e988-bd862e3fe1be46a994272793'
process.env.AWS_LAMBDA_FUNCTION_VERSION = '123'
let lines = 0
let bytes = 0
setLogSink((line) => {
  lines += 1
  bytes += Buffer.byteLength(line) + LINE_OVERHEAD
})
const { baseUrl, demo, stop } = await startService(localSettings({ PORT: '0' }, ['--memory']))
const usages = await measure(baseUrl, demo)
await stop()
console.log(`US dollars for a million calls, us-east-1, ${priceDate}:\n`)
console.log(costTable(usages, bytes / lines))
