import { MAX_LINE_BYTES, readLines } from '../../tools/transfer/input.ts'

async function* chunksOf(text: string, size: number) {
  for (let start = 0; start < text.length; start += size) yield Buffer.from(text.slice(start, start + size))
}

/** Returns the length of each line of a text that arrives in chunks of a size; undefined for a line that is too long. */
const lineLengths = async (text: string, chunkSize: number) => {
  const lengths: (number | undefined)[] = []
  for await (const line of readLines(chunksOf(text, chunkSize))) lengths.push(line?.length)
  return lengths
}

it.each([
  ['ends with a line feed', '\n'],
  ['ends with the file', ''],
])('reads a line of the maximum length that %s, and does not keep a longer one', async (_, end) => {
  const longest = 'x'.repeat(MAX_LINE_BYTES)
  const text = `${longest}\n${longest}y\nz\n${longest}${end}`
  for (const chunkSize of [MAX_LINE_BYTES, 1_000, 3 * MAX_LINE_BYTES])
    expect(await lineLengths(text, chunkSize)).toEqual([MAX_LINE_BYTES, undefined, 1, MAX_LINE_BYTES])
})
