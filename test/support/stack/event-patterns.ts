import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams'

/** An event pattern of EventBridge: the texts that a field may be, or the patterns of its fields. */
export type Pattern = readonly string[] | { readonly [field: string]: Pattern }

const isList = (pattern: Pattern): pattern is readonly string[] => Array.isArray(pattern)

/** Returns whether a value passes a pattern. */
export const passes = (pattern: Pattern, value: unknown): boolean =>
  isList(pattern)
    ? pattern.some((text) => text === value)
    : Object.entries(pattern).every(([field, inner]) =>
        passes(inner, (value as Record<string, unknown>)?.[field]),
      )

/** Returns the event that a pipe makes from its template: each `<$.path>` in quotes is replaced by the text at the path. */
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
