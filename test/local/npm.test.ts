import { cleanUp, freeSettings, type LocalProcess, startLocal } from '../support/local-process.ts'
import { untilFree } from '../support/processes.ts'

afterAll(cleanUp)

const signals: [string, (service: LocalProcess) => void][] = [
  ['a SIGTERM to npm', ({ child }) => child.kill('SIGTERM')],
  ['Ctrl-C, which the terminal sends to every process', ({ child }) => process.kill(-child.pid!, 'SIGINT')],
]

describe('npm start', () => {
  it.each(signals)('ends with service and engine on %s, and passes on what follows "--"', async (_, send) => {
    const env = await freeSettings()
    const service = await startLocal(env, ['--', '--memory'], ['npm', 'start', '--silent'])
    expect(service.out()).toContain('in memory, until it ends')
    send(service)
    // After Ctrl-C npm itself may end before its script, by the signal: nothing may be left running.
    const { code } = await service.ended
    expect([0, null]).toContain(code)
    await Promise.all([env.PORT, env.DYNAMODB_PORT].map(untilFree))
  })
})
