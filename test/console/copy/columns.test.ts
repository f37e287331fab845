import { columnsOf } from '../../../console/lists/columns.ts'
import { filledCopy, invoice } from './copy-in-memory.ts'

it.each([
  ['customers', {}],
  ['customers', { by: 'country' }],
  ['movements', { by: 'country' }],
  ['invoices', {}],
  ['subscriptions', {}],
  ['subscriptions', { renews: '2026-07', currency: 'EUR' }],
] as const)('a row of %s with the choices %j has a cell for each column', async (list, query) => {
  const ann = { id: 'ann', name: 'Ann', email: null, metadata: { country: 'DE' } }
  const copy = await filledCopy([ann], [invoice('today')])
  const { rows } = copy.answer('list', { list, ...query })
  expect(rows).toHaveLength(1)
  const keys = columnsOf(list, query).map(({ key }) => key)
  expect(keys.filter((key) => !Object.hasOwn(rows[0]!.cells, key))).toEqual([])
})

it.each(['customers', 'invoices', 'subscriptions', 'movements'] as const)(
  'the CSV of %s has a column for each column of the list',
  async (list) => {
    const ann = { id: 'ann', name: 'Ann', email: null, metadata: {} }
    const copy = await filledCopy([ann], [invoice('today')])
    const [header = ''] = (await copy.answer('csv', { form: 'point', list }).text()).split('\n')
    const titles = columnsOf(list).map(({ title }) => title.split(',')[0]!)
    expect(titles.filter((title) => !header.includes(title))).toEqual([])
  },
)

it('a movement shows its month, customer, kind, plan, reason and change on a phone', () => {
  const onPhone = columnsOf('movements').filter(({ phone }) => phone && phone !== 'wide')
  expect(onPhone.map(({ key }) => key)).toEqual(['month', 'customer', 'kind', 'plan', 'why', 'change'])
})
