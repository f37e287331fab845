import { parseDate } from './dates.ts'

/** One thing wrong with a request: where (`line_items[2].currency`) and what ("must be …"). */
export interface Fault {
  readonly path: string
  readonly problem: string
}

/** A rule that JSON Schema cannot say. It sees the body whatever its types are and judges only what it can. */
export type Rule = (body: Readonly<Record<string, unknown>>) => Fault[]

const MAX_METADATA_BYTES = 16 * 1024
const MAX_METADATA_DEPTH = 8

/**
 * Takes the bytes of a value's JSON, without its commas, from what is `left`, and tells why it is too much. However
 * large it is, it takes no more steps than bytes are left.
 */
const excessOf = (
  value: unknown,
  levels: number,
  left: { bytes: number },
): 'bytes' | 'levels' | undefined => {
  left.bytes -= typeof value === 'string' ? value.length + 2 : 1
  if (left.bytes < 0) return 'bytes'
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return 'levels'
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value)
  for (const key of keys) {
    if (typeof key === 'string') left.bytes -= key.length + 3
    const excess = excessOf((value as Record<string | number, unknown>)[key], levels - 1, left)
    if (excess) return excess
  }
  return undefined
}

const isWellFormed = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.isWellFormed()
    : typeof value !== 'object' ||
      value === null ||
      Object.entries(value).every(([k, v]) => k.isWellFormed() && isWellFormed(v))

/** Metadata is at most 16 KiB of JSON, at most 8 levels deep, and Unicode throughout, so that it is kept exactly (R8). */
export const metadataIsBounded: Rule = ({ metadata }) => {
  if (typeof metadata !== 'object' || metadata === null) return []
  const excess = excessOf(metadata, MAX_METADATA_DEPTH, { bytes: MAX_METADATA_BYTES })
  if (excess === 'levels')
    return [{ path: 'metadata', problem: `must be nested at most ${MAX_METADATA_DEPTH} levels deep` }]
  const tooLong = { path: 'metadata', problem: `must be at most ${MAX_METADATA_BYTES} bytes of JSON` }
  if (excess === 'bytes') return [tooLong]
  // Its own keys are the schema's business.
  if (!Object.values(metadata).every(isWellFormed))
    return [{ path: 'metadata', problem: 'must not hold lone surrogates, which are not Unicode text' }]
  return Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES ? [tooLong] : []
}

const seconds = (value: unknown): number | undefined =>
  typeof value === 'string' ? parseDate(value) : undefined

/** A period does not end before it starts (R6). */
export const periodIsOrdered: Rule = ({ period_start, period_end }) => {
  const [start, end] = [seconds(period_start), seconds(period_end)]
  return start !== undefined && end !== undefined && end < start
    ? [{ path: 'period_end', problem: 'must not be before period_start' }]
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
