import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { environmentOf, findCaller, type Terminal } from '../../lib/stack/caller.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder()
const [configFile, credentialsFile] = ['config', 'credentials'].map((name) => join(folder, name)) as [
  string,
  string,
]
writeFileSync(
  configFile,
  `[default]
region = us-west-2
[profile plain]
[profile mfa]
role_arn = arn:aws:iam::111122223333:role/admin
source_profile = plain
mfa_serial = arn:aws:iam::111122223333:mfa/me
region = eu-central-1
`,
)
const keys = (name: string) => `[${name}]\naws_access_key_id = ${name}\naws_secret_access_key = s\n`
writeFileSync(credentialsFile, keys('default') + keys('plain'))

const files = { AWS_CONFIG_FILE: configFile, AWS_SHARED_CREDENTIALS_FILE: credentialsFile }
const inEnvironment = { AWS_ACCESS_KEY_ID: 'environment', AWS_SECRET_ACCESS_KEY: 's' }
const environment = { ...process.env }
const use = (variables: NodeJS.ProcessEnv) => {
  process.env = { PATH: environment.PATH, AWS_EC2_METADATA_DISABLED: 'true', ...variables }
}
afterAll(() => {
  process.env = environment
})

const noCode = () => Promise.reject(new Error('No code is needed.'))
const find = (profile?: string, readCode: Terminal['readCode'] = noCode) =>
  findCaller(profile, { env: process.env, readCode })

const plain = { AWS_PROFILE: 'plain' }
const west1 = { AWS_DEFAULT_REGION: 'eu-west-1' }

// The order of precedence is that of the CDK.
it.each<[string, string | undefined, NodeJS.ProcessEnv, string, string]>([
  ['the default profile', undefined, {}, 'us-west-2', 'default'],
  ['AWS_DEFAULT_REGION over the profile', undefined, west1, 'eu-west-1', 'default'],
  ['AWS_REGION over it', undefined, { ...west1, AWS_REGION: 'eu-west-2' }, 'eu-west-2', 'default'],
  ['the region of the default profile where one has none', 'plain', {}, 'us-west-2', 'plain'],
  ['AWS_PROFILE', undefined, plain, 'us-west-2', 'plain'],
  ['AWS_DEFAULT_PROFILE', undefined, { AWS_DEFAULT_PROFILE: 'plain' }, 'us-west-2', 'plain'],
  ['keys over AWS_PROFILE', undefined, { ...inEnvironment, ...plain }, 'us-west-2', 'environment'],
  ['--profile over keys of the environment', 'plain', inEnvironment, 'us-west-2', 'plain'],
])('a deployment uses %s', async (_, profile, variables, region, accessKeyId) => {
  use({ ...files, ...variables })
  expect(await find(profile)).toMatchObject({ region, credentials: { accessKeyId } })
})

it('a deployment with a misspelt --profile uses no other credentials', async () => {
  use({ ...files, ...inEnvironment })
  await expect(find('plane')).rejects.toThrow('plane')
})

it('a deployment does not guess a region', async () => {
  use(inEnvironment)
  await expect(find()).rejects.toThrow('no region: set AWS_REGION, or "region" of the profile "default"')
})

it('a profile with a multi-factor device asks for its code once, and the CDK gets the credentials', async () => {
  const sts = createServer((_, response) =>
    response.end(`<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
      <AccessKeyId>assumed</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>
      <Expiration>2100-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`),
  ).listen(0)
  await once(sts, 'listening')
  use({ ...files, AWS_ENDPOINT_URL_STS: `http://localhost:${(sts.address() as AddressInfo).port}` })
  const asked: string[] = []
  const caller = await find('mfa', async (serial) => {
    asked.push(serial)
    return '123456'
  })
  sts.close()
  expect(asked).toEqual(['arn:aws:iam::111122223333:mfa/me'])
  expect(environmentOf(process, caller, 'mfa')).toMatchObject({
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'assumed',
    AWS_SESSION_TOKEN: 't',
    AWS_PROFILE: 'mfa',
  })
})
