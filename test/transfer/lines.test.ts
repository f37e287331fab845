import { linesIn, MAX_BYTES } from '../../tools/transfer/lines.ts'

const inChunks = async function* (text: string, size: number) {
  for (let start = 0; start < text.length; start += size) yield Buffer.from(text.slice(start, start + size))
}

const lengthsOf = async (text: string, size: number) => {
  const lengths: (number | undefined)[] = []
  for await (const line of linesIn(inChunks(text, size))) lengths.push(line?.length)
  return lengths
}

it.each([
  ['with a line feed', '\n'],
  ['at the end of the file', ''],
])('reads a line of exactly the longest length, and keeps none that is longer, %s', async (_, end) => {
  const longest = 'x'.repeat(MAX_BYTES)
  for (const size of [MAX_BYTES, 1_000, 3 * MAX_BYTES])
    expect(await lengthsOf(`${longest}\n${longest}y\nz\n${longest}${end}`, size)).toEqual([
      MAX_BYTES,
      undefined,
      1,
      MAX_BYTES,
    ])
})
