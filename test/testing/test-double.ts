import { startDouble, type TestDouble } from '../../tools/testing/double.ts'
import type { Seed } from '../../tools/testing/options.ts'
import { type Call, clientAt } from '../support/requests/service.ts'

/** In the process of this test file. Resets it to `seed` before each test. */
export const doubleForTests = (seed: Seed) => {
  let double: TestDouble
  beforeAll(async () => {
    double = await startDouble({ port: 0, host: '127.0.0.1', seed, log: () => undefined })
  })
  afterAll(() => double.stop())
  beforeEach(() => double.reset())

  const call = (method: string, path: string, options?: Call) =>
    clientAt(double.access.base_url, double.access).call(method, path, options)
  const control = (method: string, path: string, body?: unknown) => call(method, `/__test${path}`, { body })
  return { double: () => double, call, control }
}
