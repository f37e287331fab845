import { readFileSync } from 'node:fs'
import { newClient, serveForTests } from '../support/service.ts'
import { measure } from './measure.ts'
import { costTable, measuredColumns } from './table.ts'

serveForTests()

const document = readFileSync('docs/operating.md', 'utf8')

it('the units in docs/operating.md are those that the operations consume', async () => {
  const client = await newClient()
  const usages = await measure(async (method, path, body) => {
    const { status, json } = await client.call(method, path, { body })
    if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`)
    return json.data
  })
  expect(document.match(/^\| [a-z]+\.[^|]+\|[^|]+\|[^|]+\|[^|]+\|/gm)).toEqual(usages.map(measuredColumns))
  const [, ...dollars] = costTable(usages, 150).split('\n')
  for (const row of dollars.slice(1)) expect(row).toMatch(/ \d+\.\d\d \|$/)
})
