import { exitWith } from '../../tools/local/exit.ts'

it('stops the service once, however many signals arrive', async () => {
  const exit = jest.spyOn(process, 'exit').mockImplementation()
  const stop = jest.fn(async () => undefined)
  const stopAndExit = exitWith({ engine: undefined, stop }, 'billing')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stopAndExit)
  stopAndExit()
  stopAndExit()
  await Promise.all(stop.mock.results.map(({ value }) => value))
  expect(stop).toHaveBeenCalledTimes(1)
  expect(exit.mock.calls).toEqual([[0]])
})
