/** Returns the CRC-32 of a text. Loading node:zlib for it would take some milliseconds of each start. */
export const crc32 = (text: string): number => {
  let crc = ~0
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1))
  }
  return ~crc >>> 0
}
