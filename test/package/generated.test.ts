import { readFileSync } from 'node:fs'
import { generated } from '../../tools/package/generated.ts'

it.each(Object.entries(generated()))(
  '%s matches the contract ("npm run generate" writes it)',
  (file, text) => {
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)
