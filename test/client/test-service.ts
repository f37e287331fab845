import { createTestService, type TestService, type TestServiceOptions } from '../../tools/testing/index.ts'

/** Runs a test service for the tests of a file. It is in its initial state at the beginning of each test. */
export const serviceForTests = (options: TestServiceOptions = {}): TestService => {
  const service = {} as TestService
  const { random } = Math
  beforeAll(async () => {
    const started = await createTestService(options)
    // The methods of a service are not enumerable, so that it can be spread as the options of a client. Assigning would lose them.
    Object.defineProperties(service, Object.getOwnPropertyDescriptors(started))
    // Shortens the client's pauses before retries, which are random.
    jest.spyOn(Math, 'random').mockImplementation(() => random() / 100)
  })
  beforeEach(() => service.reset())
  afterAll(() => service.stop())
  return service
}
