import { cleanUp, freeSettings, type LocalProcess, startLocal } from '../support/local-process.ts'
import { untilFree } from '../support/processes.ts'

afterAll(cleanUp)

const signals: [string, (service: LocalProcess) => void][] = [
  ['SIGTERM to npm', ({ child }) => child.kill('SIGTERM')],
  ['Ctrl-C, which the terminal sends to all of them', ({ child }) => process.kill(-child.pid!, 'SIGINT')],
]

describe('npm start', () => {
  it.each(signals)('ends with service and engine by %s', async (_, send) => {
    const env = await freeSettings()
    const service = await startLocal(env, [], ['npm', 'start', '--silent'])
    send(service)
    // By Ctrl-C npm itself may end before its script, and by the signal: what counts is that nothing is left.
    const { code } = await service.ended
    expect([0, null]).toContain(code)
    await Promise.all([env.PORT, env.DYNAMODB_PORT].map(untilFree))
  })

  it('hands on what follows "--"', async () => {
    const env = await freeSettings()
    const service = await startLocal(env, ['--', '--memory'], ['npm', 'start', '--silent'])
    expect(service.out()).toContain('in memory, gone at the end')
    service.child.kill('SIGTERM')
    expect((await service.ended).code).toBe(0)
  })
})
