/** A test that reaches its end without an assertion fails: it could not have noticed anything. */
beforeEach(() => expect.hasAssertions())
