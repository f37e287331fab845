const MAX_METADATA_BYTES = 16 * 1024
const MAX_METADATA_DEPTH = 8

/**
 * Subtracts the size of a value's JSON, without commas, from `left`, and returns the limit that the value exceeds.
 * Stops when no bytes are left.
 */
const exceededLimit = (
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
    const exceeded = exceededLimit((value as Record<string | number, unknown>)[key], levels - 1, left)
    if (exceeded) return exceeded
  }
  return undefined
}

const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')

/** Returns whether all texts of a value, keys included, can be stored. */
const isStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, each]) => isStorableText(key) && isStorable(each))
}

/**
 * Returns the problem of metadata: more than 16 KiB of JSON, more than 8 levels, or text with a lone
 * surrogate or U+0000.
 * Returns undefined if it is valid or not an object.
 */
export const metadataProblem = (metadata: unknown): string | undefined => {
  if (typeof metadata !== 'object' || metadata === null) return undefined
  const exceeded = exceededLimit(metadata, MAX_METADATA_DEPTH, { bytes: MAX_METADATA_BYTES })
  if (exceeded === 'levels') return `must be nested at most ${MAX_METADATA_DEPTH} levels deep`
  const tooLong = `must be at most ${MAX_METADATA_BYTES} bytes of JSON`
  if (exceeded === 'bytes') return tooLong
  // The schema checks the top-level keys.
  if (!Object.values(metadata).every(isStorable))
    return 'must be Unicode text throughout, without lone surrogates and U+0000'
  return Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES ? tooLong : undefined
}
