/** Fails a test that makes no assertion. */
beforeEach(() => expect.hasAssertions())
