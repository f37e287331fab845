import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams'

/** What a field may be in a pattern of EventBridge: exactly this, with this beginning, or like this with any text for `*`. */
type Allowed = string | { readonly prefix: string } | { readonly wildcard: string }

/** An event pattern of EventBridge: what a field may be, or the patterns of its fields. */
export type Pattern = readonly Allowed[] | { readonly [field: string]: Pattern }

const allows = (allowed: Allowed, value: unknown): boolean => {
  if (typeof allowed === 'string') return value === allowed
  if ('prefix' in allowed) return String(value).startsWith(allowed.prefix)
  return new RegExp(`^${allowed.wildcard.split('*').map(RegExp.escape).join('.*')}$`).test(String(value))
}

const isList = (pattern: Pattern): pattern is readonly Allowed[] => Array.isArray(pattern)

/** Returns whether a value passes a pattern. */
export const passes = (pattern: Pattern, value: unknown): boolean =>
  isList(pattern)
    ? pattern.some((each) => allows(each, value))
    : Object.entries(pattern).every(([field, inner]) =>
        passes(inner, (value as Record<string, unknown>)?.[field]),
      )

/** Returns what a pipe makes of its template: each `<$.path>` in quotes is replaced by the text at the path. */
export const filled = (template: string, record: StreamRecord): unknown =>
  JSON.parse(
    template.replaceAll(/<\$\.([\w.]+)>/g, (_, path: string) => {
      const found = path
        .split('.')
        .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], record)
      expect(typeof found).toBe('string')
      return found as string
    }),
  )
