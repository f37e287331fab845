import { globSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  asksForRecipes,
  recipeArguments,
  recipeList,
  recipes,
} from '../../../tools/transfer/recipes/recipes.ts'
import { temporaryFolder } from '../../support/processes/temporary-folder.ts'
import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { type Contents, importContents, recordedEntity } from '../importing.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

const seconds = (date: string): number => Date.parse(date) / 1_000

interface Export {
  readonly recipe: string
  readonly files: Contents
  readonly options?: readonly string[]
  readonly customers: Readonly<Record<string, object>>
  readonly invoices: Readonly<Record<string, object>>
}

const xeroSheet = `ContactName,EmailAddress,InvoiceNumber,InvoiceDate,DueDate,Total,TaxTotal,Description,Quantity,UnitAmount,LineAmount,TaxAmount,Currency,Type,Status
Harbour Cafe,ap@harbour.example,INV-1001,11/06/2026,25/06/2026,1150.0000,150.0000,Pro,10.0000,80.0000,800.0000,120.0000,NZD,Sales invoice,Paid
Harbour Cafe,ap@harbour.example,INV-1001,11/06/2026,25/06/2026,1150.0000,150.0000,Setup,1.0000,200.0000,200.0000,30.0000,NZD,Sales invoice,Paid
"Kea, Ltd",,INV-1002,13/06/2026,27/06/2026,115.0000,15.0000,Basic,2.0000,50.0000,100.0000,15.0000,NZD,Sales invoice,Paid
`

const exports: readonly Export[] = [
  {
    recipe: 'xero',
    files: { 'customers-xero.csv': xeroSheet, 'invoices-xero.csv': xeroSheet },
    options: ['--zone', 'Pacific/Auckland'],
    customers: {
      'Harbour Cafe': { name: 'Harbour Cafe', email: 'ap@harbour.example' },
      'Kea, Ltd': { name: 'Kea, Ltd', email: null },
    },
    invoices: {
      'INV-1001': {
        total: 115000,
        currency: 'NZD',
        created: seconds('2026-06-11T00:00+12:00'),
        period_start: seconds('2026-06-11T00:00+12:00'),
        period_end: seconds('2026-06-11T00:00+12:00'),
        line_items: [
          { type: 'one_time', amount: 80000, tax_amount: 12000, quantity: 10 },
          { type: 'one_time', amount: 20000, tax_amount: 3000, quantity: 1 },
        ],
      },
      'INV-1002': { total: 11500, line_items: [{ amount: 10000, tax_amount: 1500 }] },
    },
  },
]

it.each(exports)(
  'the recipe $recipe records the entities, amounts and periods of the export',
  async (row) => {
    const { errors } = await importContents(client, row.files, '--recipe', row.recipe, ...(row.options ?? []))
    expect(errors).toEqual([])
    const recorded = async (plural: string, ids: readonly string[], include = '') =>
      Object.fromEntries(
        await Promise.all(ids.map(async (id) => [id, await recordedEntity(client, plural, id, include)])),
      )
    expect(await recorded('customers', Object.keys(row.customers))).toMatchObject(row.customers)
    expect(await recorded('invoices', Object.keys(row.invoices), 'line_items')).toMatchObject(row.invoices)
  },
)

it('every recipe is listed, tested with its export, and has options that the command accepts', () => {
  const names = Object.keys(recipes).sort()
  expect(names).toEqual(
    globSync('tools/transfer/recipes/*.json')
      .map((file) => basename(file, '.json'))
      .sort(),
  )
  expect(names).toEqual([...new Set(exports.map(({ recipe }) => recipe))].sort())
  for (const name of names) {
    expect(recipeArguments({ recipe: name, map: [], set: [] })).not.toEqual([])
    expect(recipeList()).toMatch(new RegExp(`^  ${name} `, 'm'))
  }
})

it.each([
  [['--recipe'], true],
  [['--recipe', '--dry-run'], true],
  [['--recipe', 'xero', 'invoices.csv'], false],
  [['invoices.csv'], false],
])('the arguments %j ask for the list: %s', (args, isAsked) => {
  expect(asksForRecipes(args)).toBe(isAsked)
})

const ownRecipe = (content: string): string => {
  const file = join(temporaryFolder(), 'own.json')
  writeFileSync(file, content)
  return file
}

const customers = { 'customers.csv': 'Number,Full name,Since\n1,Ann,01.02.2026\n' }
const ownContent = {
  about: 'the customers of our shop',
  map: ['Number=id', 'Full name=name', 'Since=created'],
  dates: 'DD.MM.YYYY',
}

it('reads the recipe of a file, to which the options of the command add', async () => {
  const recipe = ownRecipe(JSON.stringify(ownContent))
  const { shown } = await importContents(client, customers, '--recipe', recipe, '--zone', 'Europe/Berlin')
  expect(shown).toContain('created 01.02.2026 → 2026-01-31T23:00:00Z')
  expect(await recordedEntity(client, 'customers', '1')).toMatchObject({ name: 'Ann' })
})

it('prefers the options of the command to those of a recipe', async () => {
  const recipe = ownRecipe(JSON.stringify({ ...ownContent, set: ['email=a@example.org'] }))
  const options = ['--dates', 'MM.DD.YYYY', '--map', 'Full name=description', '--set', 'email=b@example.org']
  const { shown } = await importContents(client, customers, ...options, '--recipe', recipe)
  expect(shown).toContain('created 01.02.2026 → 2026-01-02')
  expect(await recordedEntity(client, 'customers', '1')).toMatchObject({ name: null, email: 'b@example.org' })
})

const exampleOf = (option: object) => JSON.stringify({ about: 'a', ...option })

it.each([
  ['no JSON', '{', /JSON/],
  ['a list', '[]', 'a recipe must be an object such as {"about": "…", "map": ["Customer ID=id"]}'],
  ['no description', '{"decimal": "."}', '"about" must be a text that describes the export'],
  ['an unknown option', exampleOf({ decimals: '.' }), 'unknown option --decimals; did you mean --decimal?'],
  ['an option of no recipe', exampleOf({ update: true }), /unknown option --update/],
  [
    'a number',
    exampleOf({ decimal: 1 }),
    '"decimal" must be a text, or true for an option without a value (got 1)',
  ],
  ['several values of one', exampleOf({ dates: ['YYYY'] }), /^"dates" must be a text, .*\(got \["YYYY"\]\)/],
  ['a number in a list', exampleOf({ map: ['a=id', 1] }), '"map" must be a list of texts (got 1)'],
  ['a flag with a text', exampleOf({ 'one-off': 'yes' }), /'--one-off' does not take an argument/],
  ['no value', exampleOf({ decimal: true }), '--decimal has no value'],
  ['a wrong value', exampleOf({ decimal: ';' }), '--decimal must be "," or "." (got ";")'],
  ['a wrong column', exampleOf({ map: ['id'] }), /--map must be a column and a field, .*\(got "id"\)/],
])('refuses the recipe of a file with %s, and names the file', (_, content, message) => {
  const recipe = ownRecipe(content)
  const refused = () => recipeArguments({ recipe, map: [], set: [] })
  expect(refused).toThrow(`--recipe ${recipe}: `)
  expect(() => {
    try {
      refused()
    } catch (error) {
      throw new Error((error as Error).message.replace(`--recipe ${recipe}: `, ''))
    }
  }).toThrow(message)
})

it.each([
  ['xeero', /^--recipe xeero: no such recipe; did you mean xero\?; there are .*xero, and a file of your own/],
  ['sap', /^--recipe sap: no such recipe; there are /],
  ['./none.json', /^--recipe \.\/none\.json: ENOENT/],
])('refuses the unknown recipe %s', async (recipe, message) => {
  await expect(importContents(client, customers, '--recipe', recipe)).rejects.toThrow(message)
})
