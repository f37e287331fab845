import { ApiError } from '../../shared/errors.ts'
import { progress } from '../../tools/operator/progress.ts'
import { retryWhileBusy } from '../../tools/operator/retry.ts'

describe('a long operation', () => {
  const busy = new ApiError('unavailable', 'Later.')

  it.each<[string, unknown[], unknown]>([
    ['succeeds at once', [1], 1],
    ['is retried while the table is busy', [busy, busy, 3], 3],
    ['fails if that lasts', [busy, busy, busy, 4], busy],
    ['is not retried after another error', [new ApiError('invalid', 'x'), 2], new ApiError('invalid', 'x')],
  ])('%s', async (_, results, end) => {
    const work = async () => {
      const result = results.shift()
      if (result instanceof Error) throw result
      return result
    }
    expect(await retryWhileBusy(work, [1, 1]).catch((error: unknown) => error)).toEqual(end)
  })

  it.each([
    [true, ['two', '\r\x1b[K']],
    [false, ['two\n']],
  ])('shows its progress at intervals, in one line if on a terminal (%s)', (isTTY, written) => {
    const said: string[] = []
    let time = 0
    jest.spyOn(performance, 'now').mockImplementation(() => time)
    const { tell, end } = progress({ isTTY, write: (text) => said.push(text) })
    for (const [at, state] of [
      [1, 'one'],
      [6_000, 'two'],
      [6_001, 'three'],
    ] as const) {
      time = at
      tell(state)
    }
    end()
    jest.restoreAllMocks()
    expect(said).toEqual(written)
  })
})
