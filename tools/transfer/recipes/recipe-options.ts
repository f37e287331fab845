import type { Options } from '../../cli/options.ts'

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
