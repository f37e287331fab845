import { ApiError } from '../../shared/errors.ts'
import { checkedBeginning, checkedFault, checkedTime } from '../../tools/testing/check.ts'

/** What is wrong with a value, in the words of the error. */
const problemsOf = (check: (value: unknown) => unknown, value: unknown): readonly string[] => {
  try {
    check(value)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.kind).toBe('invalid')
    return error.details
  }
}

const NEEDS = 'A fault has an answer, loses something, or has a delay.'
const lost = 'one of "request", "answer"'
const answered = 'one of 429, 500, 503'

describe('a fault', () => {
  it.each([
    { answer: 429 },
    { answer: 500, retryAfter: 0 },
    { answer: 503, operation: 'customers.update', call: 1, times: 1 },
    { lose: 'request' },
    { lose: 'answer', call: 2, times: 3 },
    { delay: 0 },
    { delay: 5, answer: 500 },
    { delay: 5, lose: 'answer' },
  ])('%j is one', (fault) => {
    expect(checkedFault(fault)).toEqual(fault)
  })

  it('may have nulls for what it does not say', () => {
    expect(checkedFault({ answer: 500, lose: null, call: null, delay: undefined })).toEqual({ answer: 500 })
  })

  it.each<[unknown, string[]]>([
    [{}, [NEEDS]],
    [{ call: 1 }, [NEEDS]],
    [{ answer: null, lose: null, delay: null }, [NEEDS]],
    [{ answer: 429, lose: 'answer' }, ['A fault cannot both answer and lose.']],
    [{ answer: 404 }, [`answer must be ${answered} (got 404).`]],
    [{ answer: '429' }, [`answer must be ${answered} (got "429").`]],
    [{ lose: '' }, [`lose must be ${lost} (got "").`]],
    [{ delay: -1 }, ['delay must be an integer of at least 0 (got -1).']],
    [{ delay: 0.5 }, ['delay must be an integer of at least 0 (got 0.5).']],
    [{ delay: '5' }, ['delay must be an integer of at least 0 (got "5").']],
    [{ answer: 500, call: 0 }, ['call must be an integer of at least 1 (got 0).']],
    [{ answer: 500, times: 0 }, ['times must be an integer of at least 1 (got 0).']],
    [{ answer: 500, retryAfter: -1 }, ['retryAfter must be an integer of at least 0 (got -1).']],
    [
      { oops: 1, answer: 1 },
      [
        'oops is not known; known are: operation, call, times, delay, answer, retryAfter, lose.',
        `answer must be ${answered} (got 1).`,
      ],
    ],
    ...[null, undefined, 1, 'a fault', true, [], [{ answer: 500 }]].map((value): [unknown, string[]] => [
      value,
      ['The body must be a JSON object.'],
    ]),
  ])('%j is none', (value, problems) => {
    expect(problemsOf(checkedFault, value)).toEqual(problems)
  })

  it('names an operation of the service', () => {
    const [problem] = problemsOf(checkedFault, { answer: 500, operation: 'products.delete' })
    expect(problem).toMatch(/^operation must be one of "products.list", .* \(got "products.delete"\)\.$/)
  })
})

const DATE = 'now must be a date, such as "2026-01-01T00:00:00Z"'

describe('a beginning', () => {
  it.each<[unknown, object]>([
    [undefined, {}],
    [null, {}],
    [{}, {}],
    [{ seed: null, now: null }, {}],
    [{ seed: {} }, { seed: {} }],
    [{ seed: 'scenario' }, { seed: 'scenario' }],
    [{ now: '2026-01-01' }, { now: '2026-01-01' }],
    [{ now: new Date(0) }, { now: new Date(0) }],
  ])('%j is one', (value, beginning) => {
    expect(checkedBeginning(value)).toEqual(beginning)
  })

  it.each<[unknown, string[]]>([
    [{ seed: [] }, ['seed must be an object, or "scenario" (got []).']],
    [{ seed: 1 }, ['seed must be an object, or "scenario" (got 1).']],
    [{ seed: 'products' }, ['seed must be an object, or "scenario" (got "products").']],
    [{ now: 'never' }, [`${DATE} (got "never").`]],
    [{ now: 0 }, [`${DATE} (got 0).`]],
    [{ now: new Date('never') }, [`${DATE} (got null).`]],
    [{ since: 1 }, ['since is not known; known are: seed, now.']],
    [[], ['The body must be a JSON object.']],
  ])('%j is none', (value, problems) => {
    expect(problemsOf(checkedBeginning, value)).toEqual(problems)
  })
})

describe('a time', () => {
  it('is that of a date, in milliseconds', () => {
    expect(checkedTime('1970-01-01T00:00:01Z')).toBe(1_000)
    expect(checkedTime(new Date(5))).toBe(5)
  })

  it.each([null, undefined])('is none for %s: the clock goes', (value) => {
    expect(checkedTime(value)).toBeUndefined()
  })

  it('is refused where it is none', () => {
    expect(problemsOf(checkedTime, 'noon')).toEqual([`${DATE} (got "noon").`])
  })
})
