import { readFileSync } from 'node:fs'
import { UsageError } from '../../cli/command.ts'
import { didYouMean, type Options, type OptionValues, parseOptions } from '../../cli/options.ts'
import {
  type ColumnTexts,
  columnOptionsFrom,
  mapParts,
  onlyParts,
  setParts,
  splitKey,
} from '../formats/csv/column-options.ts'
import { notationFrom } from '../formats/csv/notation.ts'
import braintree from './braintree.json' with { type: 'json' }
import chartmogul from './chartmogul.json' with { type: 'json' }
import paypal from './paypal.json' with { type: 'json' }
import quickbooks from './quickbooks.json' with { type: 'json' }
import recurly from './recurly.json' with { type: 'json' }
import shopify from './shopify.json' with { type: 'json' }
import woocommerce from './woocommerce.json' with { type: 'json' }
import xero from './xero.json' with { type: 'json' }
import zuora from './zuora.json' with { type: 'json' }

/** The options that specify how the files of a system are read: those of a recipe. */
export const recipeOptions = {
  map: {
    value: 'COLUMN=FIELD',
    isRepeatable: true,
    about:
      'for CSV: the field that a column contains, or several (FIELD,FIELD); without a field, the column is left out. "invoices:Customer=customer_id" maps the column of one file only, "Email#2=email" the second column of that name',
  },
  'leave-out': { value: 'REST', about: 'for CSV: leaves out all columns that are not fields' },
  set: {
    value: 'FIELD=VALUE',
    isRepeatable: true,
    about: 'for CSV: the value of a field for which a file has no column, such as "prices:type=recurring"',
  },
  only: {
    value: 'COLUMN=TEXT',
    isRepeatable: true,
    about:
      'for CSV: reads only records with this text in a column, such as "Status=paid", or with one of several texts; without a text, only those whose cell is empty. The others are counted as skipped',
  },
  empty: {
    value: 'TEXT',
    isRepeatable: true,
    about: 'for CSV: reads cells with this text, such as NULL, as empty, unless they are in quotes',
  },
  decimal: {
    value: 'SIGN',
    about: 'for CSV: amounts are in the major unit, with a comma (,) or a point (.) before the cents',
  },
  dates: {
    value: 'FORM',
    about:
      'for CSV: the form of dates, such as DD.MM.YYYY or MM/DD/YYYY: the parts in any order, with . / - or a space between them; MMM is the name of a month, and YY a year of two digits',
  },
  zone: {
    value: 'AREA/CITY',
    about: 'for CSV: the time zone of dates without one, such as America/New_York (default: UTC)',
  },
  ends: {
    value: 'KIND',
    about:
      'for CSV: inclusive if period_end is the last day, minute or second of a period, exclusive if it is the first moment after it; without it, ends that may be inclusive stop the import',
  },
  'one-off': {
    about: 'records each invoice without subscription_id under the subscription "one-off:CUSTOMER"',
  },
} as const satisfies Options

/** What its users must know of the export of a system, and the options that read it. */
interface Recipe {
  readonly about: string
  readonly [option: string]: unknown
}

/** By the name of the system. */
export const recipes: Readonly<Record<string, Recipe>> = {
  braintree,
  chartmogul,
  paypal,
  quickbooks,
  recurly,
  shopify,
  woocommerce,
  xero,
  zuora,
}

/** Whether `--recipe` has no name. */
export const asksForRecipes = (args: readonly string[]): boolean => {
  const index = args.indexOf('--recipe')
  return index !== -1 && /^(-.*)?$/.test(args[index + 1] ?? '')
}

const isRepeatable = (name: string): boolean => {
  const options: Options = recipeOptions
  return Object.hasOwn(options, name) && options[name]?.isRepeatable === true
}

/** Returns an option as the user would write it. Throws UsageError for a value that no option has. */
const optionArguments = (name: string, value: unknown): string[] => {
  if (value === true) return [`--${name}`]
  const expected = isRepeatable(name) ? 'a list of texts' : 'a text, or true for an option without a value'
  const values: unknown[] = isRepeatable(name) && Array.isArray(value) ? value : [value]
  return values.map((text) => {
    if (typeof text !== 'string')
      throw new UsageError(`"${name}" must be ${expected} (got ${JSON.stringify(text)})`)
    return `--${name}=${text}`
  })
}

/** Throws UsageError for an option that the command refuses. */
const optionsIn = (recipe: unknown): OptionValues<typeof recipeOptions> => {
  if (typeof recipe !== 'object' || recipe === null || Array.isArray(recipe))
    throw new UsageError('a recipe must be an object such as {"about": "…", "map": ["Customer ID=id"]}')
  const { about, ...options } = recipe as Readonly<Record<string, unknown>>
  if (typeof about !== 'string') throw new UsageError('"about" must be a text that describes the export')
  const args = Object.entries(options).flatMap(([name, value]) => optionArguments(name, value))
  const { values } = parseOptions(args, recipeOptions)
  columnOptionsFrom(values)
  notationFrom(values)
  return values
}

/** Returns the recipe of a name, or the content of a file. Throws UsageError for an unknown name. */
const recipeNamed = (name: string): unknown => {
  if (name.includes('/') || name.endsWith('.json')) return JSON.parse(readFileSync(name, 'utf8'))
  if (Object.hasOwn(recipes, name)) return recipes[name]
  const names = Object.keys(recipes)
  throw new UsageError(
    `no such recipe${didYouMean(name, names)}; there are ${names.join(', ')}, and a file of your own is a path such as ./recipe.json`,
  )
}

/** Returns the options of a recipe. Throws UsageError, with the place, for one that does not exist or is wrong. */
const optionsOf = (name: string): OptionValues<typeof recipeOptions> => {
  try {
    return optionsIn(recipeNamed(name))
  } catch (error) {
    throw new UsageError(`--recipe ${name}: ${(error as Error).message}`, { cause: error })
  }
}

/** The options of a recipe, without those for a column or field that the user names, for its file or for any file. */
const notReplaced = (
  recipeTexts: readonly string[],
  ownTexts: readonly string[],
  partsOf: (text: string) => readonly [key: string, value: string],
): string[] => {
  const own = new Set(ownTexts.map((text) => partsOf(text)[0]))
  return recipeTexts.filter((text) => {
    const [key] = partsOf(text)
    return !own.has(key) && !own.has(splitKey(key).name)
  })
}

/** Which export a recipe reads: the first sentence of its description. */
export const exportOf = (name: string): string => {
  const { about } = recipeNamed(name) as Recipe
  return about.split('. ')[0]!
}

/**
 * Returns the options of a recipe as arguments, which precede the user's own. Leaves out the columns that the user maps or restricts, and
 * the fields that the user sets, since the user's options replace those of the recipe.
 */
export const recipeArguments = ({
  recipe,
  map,
  set,
  only,
}: ColumnTexts & { readonly recipe: string | undefined }): string[] => {
  if (recipe === undefined) return []
  const options = optionsOf(recipe)
  const values = {
    ...options,
    map: notReplaced(options.map, map, mapParts),
    set: notReplaced(options.set, set, setParts),
    only: notReplaced(options.only, only, onlyParts),
  }
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : optionArguments(name, value),
  )
}
