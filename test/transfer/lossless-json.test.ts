import { parseLossless } from '../../tools/transfer/lossless-json.ts'

it.each(['7', '-7', '0.1', '1.50', '1e3', '1E+3', '-0', '-0.5', '123456789012345', '12345678901234567890'])(
  'keeps the number %s as it is written',
  (number) => {
    const text = `{"a":[${number}],"b":"2024-01-01"}`
    expect(JSON.stringify(parseLossless(text))).toBe(text)
  },
)

it('returns undefined for a text that is not JSON, or is nested too deeply to be written again', () => {
  for (const text of ['{', '{"a":1.5', 'x', '['.repeat(9_000) + ']'.repeat(9_000)])
    expect(parseLossless(text)).toBeUndefined()
})
