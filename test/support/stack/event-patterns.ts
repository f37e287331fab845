import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams'

/** An event pattern of EventBridge: the texts that a field may have, or the patterns of its fields. */
export type EventPattern = readonly string[] | { readonly [field: string]: EventPattern }

const isList = (pattern: EventPattern): pattern is readonly string[] => Array.isArray(pattern)

export const matchesPattern = (pattern: EventPattern, value: unknown): boolean =>
  isList(pattern)
    ? pattern.some((text) => text === value)
    : Object.entries(pattern).every(([field, inner]) =>
        matchesPattern(inner, (value as Record<string, unknown>)?.[field]),
      )

/** Each `<$.path>` in quotes is replaced by the text at the path. */
export const pipedEvent = (template: string, record: StreamRecord): unknown =>
  JSON.parse(
    template.replaceAll(/<\$\.([\w.]+)>/g, (_, path: string) => {
      const text = path
        .split('.')
        .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], record)
      if (typeof text !== 'string') throw new Error(`The record has no text at ${path}`)
      return text
    }),
  )
