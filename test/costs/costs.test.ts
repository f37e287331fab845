import { readFileSync } from 'node:fs'
import { newClient, serveForTests } from '../support/service.ts'
import { measure } from './measure.ts'
import { costTable, measuredColumns } from './table.ts'

serveForTests()

const document = readFileSync('docs/operating.md', 'utf8')

it('the units in docs/operating.md are those that the operations consume', async () => {
  const { baseUrl, credentials } = await newClient()
  const usages = await measure(baseUrl, credentials)
  expect(document.match(/^\| [a-z]+\.[^|]+\|[^|]+\|[^|]+\|[^|]+\|/gm)).toEqual(usages.map(measuredColumns))
  const [, ...dollars] = costTable(usages, 150).split('\n')
  for (const row of dollars.slice(1)) expect(row).toMatch(/ \d+\.\d\d \|$/)
})
