import { config, corsOrigin, traceId } from '../shared/config.ts'

const before = { ...process.env }
afterEach(() => {
  process.env = { ...before }
})

const set = (values: NodeJS.ProcessEnv): void => {
  const { TABLE_NAME: _, DYNAMODB_ENDPOINT: __, CORS_ORIGIN: ___, ...others } = before
  process.env = { ...others, ...values }
}

describe('configuration', () => {
  it('contains the table and, if set, the endpoint and another hold-back', () => {
    set({ TABLE_NAME: 'billing' })
    expect(config()).toEqual({ table: 'billing', endpoint: undefined, holdBack: 330 })
    const endpoint = 'http://localhost:8000'
    set({ TABLE_NAME: 'billing', DYNAMODB_ENDPOINT: endpoint, HOLD_BACK_SECONDS: '0' })
    expect(config()).toEqual({ table: 'billing', endpoint, holdBack: 0 })
  })

  it.each([{}, { TABLE_NAME: '' }])('without a table throws an error that names the variable', (values) => {
    set(values)
    expect(config).toThrow('TABLE_NAME is not set: it must name the DynamoDB table')
  })

  it.each([
    ['Root=1-5759e988-bd862e3f;Parent=53995c3f42cd8ad8;Sampled=0', '1-5759e988-bd862e3f'],
    ['Self=1-67891234-12456789;Root=1-67891233-abcdef01', '1-67891233-abcdef01'],
    ['Root=;Sampled=0', undefined],
    ['', undefined],
  ])('reads the trace id of %j: %s', (_X_AMZN_TRACE_ID, id) => {
    set({ _X_AMZN_TRACE_ID })
    expect(traceId()).toBe(id)
  })

  it('has no CORS origin unless one is set', () => {
    set({})
    expect(corsOrigin()).toBeUndefined()
    set({ CORS_ORIGIN: '' })
    expect(corsOrigin()).toBeUndefined()
    set({ CORS_ORIGIN: 'https://example.org' })
    expect(corsOrigin()).toBe('https://example.org')
  })
})
