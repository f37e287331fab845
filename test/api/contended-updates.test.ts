import { ampleBudget, realBudget, setBudget } from '../support/budgets.ts'
import { overtakeEachWrite } from '../support/database/overtaking.ts'
import { customerBody } from '../support/requests/bodies.ts'
import { clientForTests, serveForTests } from '../support/requests/service.ts'

serveForTests()

const client = clientForTests()

interface Row {
  readonly limit: string
  /** Of the longest time of the write. */
  readonly pauseShare: number
  readonly update: number
  readonly possibleWrites: readonly number[]
}

const rows: readonly Row[] = [
  { limit: 'six writes', pauseShare: 0, update: ampleBudget.update, possibleWrites: [6] },
  // Five writes, or fewer on a busy machine.
  {
    limit: 'a second and a half',
    pauseShare: 0.8,
    update: realBudget.update,
    possibleWrites: [1, 2, 3, 4, 5],
  },
]

it.each(rows)('refuses an update with 429 after $limit, if other updates always come first', async (row) => {
  setBudget({ update: row.update })
  const { id } = await client.create('/api/customers', customerBody())
  const counted = overtakeEachWrite()
  jest.spyOn(Math, 'random').mockReturnValue(row.pauseShare)
  const [update, erasure] = [{ id, name: 'Slower' }, undefined]
  for (const body of [update, erasure]) {
    counted.writes = 0
    const { status, headers, details } = await client.put(`/api/customers/${id}`, body)
    expect({ status, retryAfter: headers.get('retry-after'), details }).toEqual({
      status: 429,
      retryAfter: '1',
      details: [
        'Too many updates of this customer at once; this one changed nothing. Send it again a little later.',
      ],
    })
    expect(row.possibleWrites).toContain(counted.writes)
  }
  jest.restoreAllMocks()
  setBudget(ampleBudget)
  expect((await client.get(`/api/customers/${id}`)).json.data.customer.name).toBe('Faster')
})
