import * as analytics from '../client/analytics/index.ts'
import { createRecordStore } from '../console/records/record-store.ts'
import { pagesOfInvoices } from './business.ts'

/** Computes a figure in the page's copy. Prints the processor seconds and the maximum memory in KB. */

const NOW = Date.UTC(2026, 5, 20) / 1000
const [count = '', name = ''] = process.argv.slice(2)
const store = createRecordStore()
for (const items of pagesOfInvoices(Number(count))) store.merge('invoices', { items, requestedAt: 0 })
const invoices = store.invoices()
const compute = new Map(Object.entries(analytics)).get(name) as typeof analytics.figuresOf
const before = process.cpuUsage()
compute(invoices, NOW)
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ seconds: (user + system) / 1e6, kilobytes: process.resourceUsage().maxRSS }))
