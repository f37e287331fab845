import { createTestService, type TestService, type TestServiceOptions } from '../../tools/testing/index.ts'

/** Runs the service for tests in this test file, in its initial state at the beginning of each test. */
export const serviceForTests = (options: TestServiceOptions = {}): TestService => {
  const service = {} as TestService
  const { random } = Math
  beforeAll(async () => {
    const started = await createTestService(options)
    // A copy by assignment would have the options of a client only.
    Object.defineProperties(service, Object.getOwnPropertyDescriptors(started))
    // The client's pauses before retries are random.
    jest.spyOn(Math, 'random').mockImplementation(() => random() / 100)
  })
  beforeEach(() => service.reset())
  afterAll(() => service.stop())
  return service
}
