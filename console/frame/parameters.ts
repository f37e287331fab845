import { isListName, type ListName } from '../lists/columns.ts'
import { faultOfListValue, listParameters } from '../lists/list-query.ts'
import { dayFrom, MONTHS_EXAMPLES, monthsFrom } from '../text/time-span.ts'
import { isTimeZone } from '../text/time-zone.ts'
import { type Address, CARRIED_PARAMETERS } from './address.ts'
import type { DocumentedResource } from './contract.ts'

interface Rule {
  readonly isValid: (value: string) => boolean
  readonly expected: string
}

const rules: Readonly<Record<string, Rule>> = {
  currency: { isValid: (value) => /^[A-Z]{3}$/.test(value), expected: 'the code of a currency, such as EUR' },
  months: {
    isValid: (value) => value === 'all' || /^[1-9]\d{0,2}$/.test(value),
    expected: 'a number of months such as 12, or "all"',
  },
  zone: { isValid: isTimeZone, expected: 'the name of a time zone, such as Europe/Berlin' },
  cohorts: { isValid: (value) => value === 'numbers', expected: '"numbers", or absent' },
  close: { isValid: (value) => monthsFrom(value) !== undefined, expected: MONTHS_EXAMPLES },
  recorded: { isValid: (value) => dayFrom(value) !== undefined, expected: 'a day such as 2026-10-31' },
  every: { isValid: (value) => value === 'quarter', expected: '"quarter", or absent' },
}

const ownNames = (
  { path }: Pick<Address, 'path'>,
  resource: DocumentedResource | undefined,
): readonly string[] => {
  const [name = '', id, part] = path
  if (name === 'find') return ['id']
  if (name === 'finance') return ['cohorts', 'every', 'close', 'recorded']
  if (!resource) return isListName(name) ? listParameters : []
  if (id !== undefined) return part === 'statement' ? ['within'] : []
  const served = ['limit', 'cursor', 'include', 'changed_since', resource.filter ?? '']
  return isListName(name) ? [...served, ...listParameters] : served
}

const faultOf = (name: string, value: string, list: ListName): string | undefined => {
  const rule = rules[name]
  if (rule) return rule.isValid(value) ? undefined : `${name} must be ${rule.expected}.`
  return faultOfListValue(list, name, value)
}

/** An error message for the first wrong parameter. `resource` is the one that the path begins with, if any. */
export const faultOfAddress = (
  address: Address,
  resource: DocumentedResource | undefined,
): string | undefined => {
  const possible = [...CARRIED_PARAMETERS, ...ownNames(address, resource)]
  const [name = ''] = address.path
  // Only on lists from the copy does a rule depend on the list, so any list serves for the other pages.
  const list = isListName(name) ? name : 'invoices'
  for (const [parameter, value] of Object.entries(address.query)) {
    const fault = possible.includes(parameter)
      ? faultOf(parameter, value, list)
      : `This page has no parameter "${parameter}".`
    if (fault) return value === '' ? fault : `${fault} The address has "${value.slice(0, 60)}".`
  }
  return undefined
}
