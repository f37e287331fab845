import { readFileSync } from 'node:fs'
import { generated } from '../../tools/package/generated.ts'

it.each(Object.entries(generated()))(
  '%s is what the contract says; "npm run generate" writes it anew',
  (file, text) => {
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)
