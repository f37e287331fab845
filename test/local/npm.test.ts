import { isListening } from '../../shared/local/engine.ts'
import { cleanUp, freeSettings, type LocalProcess, startLocal } from '../support/local-process.ts'

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
    expect((await service.ended).code).toBe(0)
    expect(await isListening(Number(env.PORT))).toBe(false)
    expect(await isListening(Number(env.DYNAMODB_PORT))).toBe(false)
  })

  it('hands on what follows "--"', async () => {
    const env = await freeSettings()
    const service = await startLocal(env, ['--', '--memory'], ['npm', 'start', '--silent'])
    expect(service.out()).toContain('in memory, gone at the end')
    service.child.kill('SIGTERM')
    expect((await service.ended).code).toBe(0)
  })
})
