import {
  forgetCredentials,
  keepCredentials,
  onlyReads,
  type TabStorage,
  usualCredentials,
} from '../../console/credentials.ts'

const tabInMemory = () => {
  const values = new Map<string, string>()
  const tab: TabStorage = {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
  return { tab, values }
}

const credentials = { appId: 'app_1', apiKey: 'bdk_secret' }
const demo = { appId: 'app_demo', apiKey: 'bdk_demo' }

describe('the key of a session', () => {
  it('is kept with the tab, and nowhere after the sign-out', () => {
    const { tab, values } = tabInMemory()
    keepCredentials(tab, credentials)
    expect(usualCredentials(tab, {})).toEqual(credentials)
    forgetCredentials(tab)
    expect(usualCredentials(tab, {})).toBeUndefined()
    expect(JSON.stringify([...values])).not.toContain('secret')
  })

  it('is that of the demo at first, and not after a sign-out', () => {
    const { tab } = tabInMemory()
    expect(usualCredentials(tab, demo)).toEqual(demo)
    keepCredentials(tab, demo)
    forgetCredentials(tab)
    expect(usualCredentials(tab, demo)).toBeUndefined()
    keepCredentials(tab, credentials)
    expect(usualCredentials(tab, demo)).toEqual(credentials)
  })

  it('shows what it may do', () => {
    expect([onlyReads('bdr_x'), onlyReads('bdk_x')]).toEqual([true, false])
  })
})
