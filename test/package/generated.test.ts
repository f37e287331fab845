import { readFileSync } from 'node:fs'
import { generated } from '../../tools/package/generated.ts'

it.each(Object.keys(generated()))('%s matches the contract ("npm run generate" writes it)', (file) => {
  // Generated again, so that mutation testing sees which test covers the document.
  expect(readFileSync(file, 'utf8')).toBe(generated()[file])
})
