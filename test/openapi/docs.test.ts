import { spawn } from 'node:child_process'
import { DOCS_PATH } from '../../shared/local/docs.ts'
import { freePort } from '../../shared/local/engine.ts'

const start = async () => {
  const env = { ...process.env, PORT: String(await freePort()), DYNAMODB_PORT: String(await freePort()) }
  const service = spawn(process.execPath, ['bin/local.ts', '--memory'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = await new Promise<Buffer>((resolve) => service.stdout.once('data', resolve))
  const stop = async () => {
    service.kill()
    await new Promise((resolve) => service.once('close', resolve))
  }
  return { said: said.toString(), stop }
}

const urlIn = (said: string): string => /^Documentation +(\S+)$/m.exec(said)?.[1] ?? ''
const keyIn = (said: string): string => /^Demo API key +(\S+)$/m.exec(said)?.[1] ?? 'no key'

let service: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

describe('the documentation page', () => {
  it('is where the service says at its start, with the demo key filled in', async () => {
    const response = await fetch(urlIn(service.said))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain(keyIn(service.said))
  })

  it('keeps the key from pages that reach this machine under another name', async () => {
    const { hostname, port } = new URL(urlIn(service.said))
    const { request } = await import('node:http')
    const page = await new Promise<string>((resolve, reject) => {
      const options = { hostname, port, path: DOCS_PATH, headers: { host: 'rebound.example' } }
      request(options, async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        resolve(Buffer.concat(chunks).toString())
      })
        .once('error', reject)
        .end()
    })
    expect(page).toContain('<div id="app">')
    expect(page).not.toContain(keyIn(service.said))
  })

  it('allows nothing to be fetched from elsewhere', async () => {
    const policy = (await fetch(urlIn(service.said))).headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/https?:|\*/)
  })

  it('gets its script from the package, once', async () => {
    const url = `${urlIn(service.said)}/scalar.js`
    const first = await fetch(url)
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect((await first.text()).length).toBeGreaterThan(1_000_000)
    const again = await fetch(url, { headers: { 'if-none-match': first.headers.get('etag')! } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })
})
