import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ENGINE_VERSION, enginePlatforms } from '../../tools/local/engine.ts'

export interface EngineRegistry {
  readonly option: string
  readonly downloaded: () => readonly string[]
  forget(): void
  close(): void
}

const packEngine = (folder: string, platform: string): Buffer => {
  const [os, cpu] = platform.split('-')
  const contents = join(folder, platform, 'package')
  mkdirSync(contents, { recursive: true })
  const manifest = { name: `@dynoxide/${platform}`, version: ENGINE_VERSION, os: [os], cpu: [cpu] }
  writeFileSync(join(contents, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(contents, 'dynoxide'), '#!/bin/sh\n', { mode: 0o755 })
  const file = join(folder, `${platform}.tgz`)
  execFileSync('tar', ['-czf', file, '-C', join(folder, platform), 'package'])
  return readFileSync(file)
}

/** Stores its packages in `folder`. Its engines do nothing. */
export const startEngineRegistry = async (folder: string): Promise<EngineRegistry> => {
  const packages = new Map(enginePlatforms.map((platform) => [platform, packEngine(folder, platform)]))
  const downloaded: string[] = []
  const server = createServer(({ url = '' }, response) => {
    const platform = enginePlatforms.find((name) => decodeURIComponent(url).includes(`/@dynoxide/${name}`))
    const file = platform && packages.get(platform)
    if (!file) {
      response.writeHead(404).end()
      return
    }
    if (url.endsWith('.tgz')) {
      downloaded.push(platform)
      response.end(file)
      return
    }
    const [os, cpu] = platform.split('-')
    const name = `@dynoxide/${platform}`
    const tarball = `http://${address()}/${name}/engine.tgz`
    const integrity = `sha512-${createHash('sha512').update(file).digest('base64')}`
    const version = { name, version: ENGINE_VERSION, os: [os], cpu: [cpu], dist: { tarball, integrity } }
    response.setHeader('content-type', 'application/json')
    const tags = { latest: ENGINE_VERSION }
    response.end(JSON.stringify({ name, 'dist-tags': tags, versions: { [ENGINE_VERSION]: version } }))
  })
  const address = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    option: `--@dynoxide:registry=http://${address()}/`,
    downloaded: () => [...new Set(downloaded)].sort(),
    forget: () => downloaded.splice(0),
    close: () => server.close(),
  }
}
