import { ApiError } from '../../shared/errors.ts'
import { retryWhileBusy } from '../../tools/applications/retry.ts'

const busy = new ApiError('unavailable', 'Later.')

it.each<[string, unknown[], unknown]>([
  ['succeeds at once', [1], 1],
  ['is retried while the table is busy', [busy, busy, 3], 3],
  ['fails if the table stays busy', [busy, busy, busy, 4], busy],
  ['is not retried after another error', [new ApiError('invalid', 'x'), 2], new ApiError('invalid', 'x')],
])('a long operation %s', async (_, results, outcome) => {
  const work = async () => {
    const result = results.shift()
    if (result instanceof Error) throw result
    return result
  }
  expect(await retryWhileBusy(work, [1, 1]).catch((error: unknown) => error)).toEqual(outcome)
})
