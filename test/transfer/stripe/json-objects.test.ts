import { readJsonObjects } from '../../../tools/transfer/formats/stripe/stripe-objects.ts'

const MIB = 1024 * 1024

it('limits the size of each object, not of all objects in a file', async () => {
  const text = `{"a":"${'x'.repeat(MIB)}"}`
  const objects = 70
  async function* chunks() {
    // Each object ends in the next chunk.
    const halves = [text.slice(0, MIB), text.slice(MIB)] as const
    yield Buffer.from(halves[0])
    for (let count = 1; count < objects; count += 1) yield Buffer.from(halves[1] + halves[0])
    yield Buffer.from(halves[1])
  }
  let read = 0
  for await (const object of readJsonObjects(chunks())) {
    expect(object.length).toBe(text.length)
    read += 1
  }
  expect(read).toBe(objects)
})
