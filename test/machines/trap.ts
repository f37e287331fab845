import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program that uses the account of the environment sends requests to it. */
export interface Trap {
  /**
   * The environment of a cloud developer: a profile of a role, and endpoints. All of it leads to the trap.
   */
  readonly env: NodeJS.ProcessEnv
  readonly requests: () => readonly string[]
  close(): void
}

const configFor = (address: string): string => `[default]
sso_start_url = ${address}/sso
sso_region = eu-west-1
sso_account_id = 123456789012
sso_role_name = developer
region = eu-west-1
endpoint_url = ${address}

[profile role]
role_arn = arn:aws:iam::123456789012:role/developer
source_profile = keys
region = eu-west-1
endpoint_url = ${address}

[profile keys]
aws_access_key_id = AKIAIOSFODNN7EXAMPLE
aws_secret_access_key = secret
region = eu-west-1
`

export const startTrap = async (): Promise<Trap> => {
  const requests: string[] = []
  const server = createServer(({ method, url, headers }, response) => {
    requests.push(
      `${method} ${url} ${headers['x-amz-target'] ?? ''} from ${headers['user-agent'] ?? 'unknown'}`,
    )
    response.writeHead(400).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = mkdtempSync(join(tmpdir(), 'billing-trap-'))
  const config = join(folder, 'config')
  writeFileSync(config, configFor(address))
  return {
    env: {
      AWS_PROFILE: 'role',
      AWS_CONFIG_FILE: config,
      AWS_SDK_LOAD_CONFIG: '1',
      AWS_ENDPOINT_URL: address,
      AWS_ENDPOINT_URL_DYNAMODB: address,
      AWS_ENDPOINT_URL_STS: address,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${address}/credentials`,
      AWS_EC2_METADATA_SERVICE_ENDPOINT: address,
    },
    requests: () => requests,
    close: () => {
      server.close()
      rmSync(folder, { recursive: true })
    },
  }
}
