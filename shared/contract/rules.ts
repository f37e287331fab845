import { parseDate } from './dates.ts'

/** One thing wrong with a request: where (`line_items[2].currency`) and what ("must be …"). */
export interface Fault {
  readonly path: string
  readonly problem: string
}

/** A rule that JSON Schema cannot say. It sees the body whatever its types are and judges only what it can. */
export type Rule = (body: Readonly<Record<string, unknown>>) => Fault[]

const seconds = (value: unknown): number | undefined =>
  typeof value === 'string' ? parseDate(value) : undefined

/** A period does not end before it starts (R6). */
export const periodIsOrdered: Rule = ({ period_start, period_end }) => {
  const [start, end] = [seconds(period_start), seconds(period_end)]
  return start !== undefined && end !== undefined && end < start
    ? [
        {
          path: 'period_end',
          problem: `must not be before period_start (got "${period_end}", before "${period_start}")`,
        },
      ]
    : []
}

/** `rule`, for each object in the list `field`. */
export const each =
  (field: string, rule: Rule): Rule =>
  (body) => {
    const list = body[field]
    if (!Array.isArray(list)) return []
    return list.flatMap((item, index) =>
      typeof item === 'object' && item !== null
        ? rule(item).map(({ path, problem }) => ({ path: `${field}[${index}].${path}`, problem }))
        : [],
    )
  }
