const MAX_METADATA_BYTES = 16 * 1024
const MAX_METADATA_DEPTH = 8

/**
 * The limit that a value exceeds; undefined if it exceeds none. Subtracts the size of the value's JSON,
 * without commas, from `remaining`, and stops when no bytes remain. `levels` is the number of levels that the
 * value may have.
 */
const exceededLimit = (
  value: unknown,
  levels: number,
  remaining: { bytes: number },
): 'bytes' | 'levels' | undefined => {
  remaining.bytes -= typeof value === 'string' ? value.length + 2 : 1
  if (remaining.bytes < 0) return 'bytes'
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return 'levels'
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value)
  for (const key of keys) {
    if (typeof key === 'string') remaining.bytes -= key.length + 3
    const member = (value as Record<string | number, unknown>)[key]
    const exceeded = exceededLimit(member, levels - 1, remaining)
    if (exceeded) return exceeded
  }
  return undefined
}

const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')

/** Whether all texts of a value, keys included, can be stored. */
const isStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, member]) => isStorableText(key) && isStorable(member))
}

/**
 * The problem of metadata: more than 16 KiB of JSON, more than 8 levels, or text with a lone surrogate or
 * U+0000. Returns undefined if it is valid or not an object.
 */
export const metadataProblem = (metadata: unknown): string | undefined => {
  if (typeof metadata !== 'object' || metadata === null) return undefined
  const tooDeep = `must be nested at most ${MAX_METADATA_DEPTH} levels deep`
  const tooLong = `must be at most ${MAX_METADATA_BYTES} bytes of JSON`
  const exceeded = exceededLimit(metadata, MAX_METADATA_DEPTH, { bytes: MAX_METADATA_BYTES })
  if (exceeded === 'levels') return tooDeep
  if (exceeded === 'bytes') return tooLong
  // The schema checks the top-level keys.
  if (!Object.values(metadata).every(isStorable))
    return 'must be Unicode text throughout, without lone surrogates and U+0000'
  return Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES ? tooLong : undefined
}
