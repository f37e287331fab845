import { readFileSync } from 'node:fs'
import { generated } from '../../tools/package/generated.ts'

it.each(Object.keys(generated()))('%s matches the contract ("npm run generate" writes it)', (file) => {
  // Called within the test, since mutation testing attributes no code to a test that runs while the file loads.
  expect(readFileSync(file, 'utf8')).toBe(generated()[file])
})
