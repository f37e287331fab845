import { type Fault, FaultScript } from '../../tools/testing/faults.ts'

/** What happens to the calls of a script, in order: the status answered, or "-" for a call that passes. */
const course = (faults: Fault[], calls: string[]): string => {
  const script = new FaultScript()
  for (const fault of faults) script.add(fault)
  return calls.map((operation) => script.take(operation)?.answer ?? '-').join(' ')
}
const calls = (count: number, operation = 'products.list') => Array<string>(count).fill(operation)

describe('a fault script', () => {
  it.each<[string, Fault[], string[], string]>([
    ['nothing', [], calls(2), '- -'],
    ['the next call', [{ answer: 503 }], calls(3), '503 - -'],
    ['the third call', [{ answer: 503, call: 3 }], calls(4), '- - 503 -'],
    ['two calls from the second on', [{ answer: 500, call: 2, times: 2 }], calls(4), '- 500 500 -'],
    ['one after the other', [{ answer: 429 }, { answer: 503 }], calls(3), '429 503 -'],
    [
      'one within another',
      [
        { answer: 429, times: 2 },
        { answer: 503, call: 2 },
      ],
      calls(5),
      '429 429 - 503 -',
    ],
    [
      'calls of one operation',
      [{ answer: 503, operation: 'prices.list', call: 2 }],
      ['prices.list', 'products.list', 'prices.list', 'prices.list'],
      '- - 503 -',
    ],
    [
      'calls of any operation',
      [{ answer: 503, call: 2 }],
      ['prices.list', 'products.list', 'prices.list'],
      '- 503 -',
    ],
  ])('takes %s', (_, faults, operations, expected) => {
    expect(course(faults, operations)).toBe(expected)
  })

  it('tells what has not happened yet', () => {
    const script = new FaultScript()
    script.add({ answer: 503, times: 3 })
    script.add({ delay: 5, operation: 'prices.list' })
    script.take('products.list')
    expect(script.pending()).toEqual([
      { answer: 503, times: 2 },
      { delay: 5, operation: 'prices.list' },
    ])
    script.clear()
    expect(script.pending()).toEqual([])
  })
})
