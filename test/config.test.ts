import { config, corsOrigin } from '../shared/config.ts'

const before = { ...process.env }
afterEach(() => {
  process.env = { ...before }
})

const set = (values: NodeJS.ProcessEnv): void => {
  const { TABLE_NAME: _, DYNAMODB_ENDPOINT: __, CORS_ORIGIN: ___, ...others } = before
  process.env = { ...others, ...values }
}

describe('configuration', () => {
  it('names the table and, where it is another than the region’s, the endpoint', () => {
    set({ TABLE_NAME: 'billing' })
    expect(config()).toEqual({ table: 'billing', endpoint: undefined })
    set({ TABLE_NAME: 'billing', DYNAMODB_ENDPOINT: 'http://localhost:8000' })
    expect(config()).toEqual({ table: 'billing', endpoint: 'http://localhost:8000' })
  })

  it.each([{}, { TABLE_NAME: '' }])('without a table is refused by the name of what is missing', (values) => {
    set(values)
    expect(config).toThrow('TABLE_NAME is not set: it must name the DynamoDB table')
  })

  it('has no origin for browsers unless one is set', () => {
    set({})
    expect(corsOrigin()).toBeUndefined()
    set({ CORS_ORIGIN: '' })
    expect(corsOrigin()).toBeUndefined()
    set({ CORS_ORIGIN: 'https://example.org' })
    expect(corsOrigin()).toBe('https://example.org')
  })
})
