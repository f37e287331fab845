import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { environmentOf, findCaller, type Terminal } from '../../lib/stack/caller.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'

const folder = temporaryFolder()
const configurationFiles = {
  AWS_CONFIG_FILE: join(folder, 'config'),
  AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
}
writeFileSync(
  configurationFiles.AWS_CONFIG_FILE,
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
/** The access key has the name of the profile. */
const profileWithKeys = (name: string) =>
  `[${name}]\naws_access_key_id = ${name}\naws_secret_access_key = s\n`
writeFileSync(
  configurationFiles.AWS_SHARED_CREDENTIALS_FILE,
  profileWithKeys('default') + profileWithKeys('plain'),
)

const initialEnvironment = { ...process.env }
const setEnvironment = (variables: NodeJS.ProcessEnv) => {
  process.env = { PATH: initialEnvironment.PATH, AWS_EC2_METADATA_DISABLED: 'true', ...variables }
}
afterAll(() => {
  process.env = initialEnvironment
})

const refuseCode = () => Promise.reject(new Error('No code is needed.'))
const find = (profile?: string, readCode: Terminal['readCode'] = refuseCode) =>
  findCaller(profile, { env: process.env, readCode })

const keys = { AWS_ACCESS_KEY_ID: 'environment', AWS_SECRET_ACCESS_KEY: 's' }

// The precedence is the same as in the CDK.
it.each<{
  rule: string
  profile?: string
  variables: NodeJS.ProcessEnv
  region: string
  accessKeyId: string
}>([
  { rule: 'the default profile', variables: {}, region: 'us-west-2', accessKeyId: 'default' },
  {
    rule: 'AWS_DEFAULT_REGION rather than the region of the profile',
    variables: { AWS_DEFAULT_REGION: 'eu-west-1' },
    region: 'eu-west-1',
    accessKeyId: 'default',
  },
  {
    rule: 'AWS_REGION rather than AWS_DEFAULT_REGION',
    variables: { AWS_DEFAULT_REGION: 'eu-west-1', AWS_REGION: 'eu-west-2' },
    region: 'eu-west-2',
    accessKeyId: 'default',
  },
  {
    rule: 'the region of the default profile if the chosen profile has none',
    profile: 'plain',
    variables: {},
    region: 'us-west-2',
    accessKeyId: 'plain',
  },
  { rule: 'AWS_PROFILE', variables: { AWS_PROFILE: 'plain' }, region: 'us-west-2', accessKeyId: 'plain' },
  {
    rule: 'AWS_DEFAULT_PROFILE',
    variables: { AWS_DEFAULT_PROFILE: 'plain' },
    region: 'us-west-2',
    accessKeyId: 'plain',
  },
  {
    rule: 'keys of the environment rather than AWS_PROFILE',
    variables: { ...keys, AWS_PROFILE: 'plain' },
    region: 'us-west-2',
    accessKeyId: 'environment',
  },
  {
    rule: '--profile rather than keys of the environment',
    profile: 'plain',
    variables: keys,
    region: 'us-west-2',
    accessKeyId: 'plain',
  },
])('a deployment uses $rule', async ({ profile, variables, region, accessKeyId }) => {
  setEnvironment({ ...configurationFiles, ...variables })
  expect(await find(profile)).toMatchObject({ region, credentials: { accessKeyId } })
})

it('a deployment with a misspelt --profile uses no other credentials', async () => {
  setEnvironment({ ...configurationFiles, ...keys })
  await expect(find('plane')).rejects.toThrow('plane')
})

it('a deployment without a region is refused', async () => {
  setEnvironment(keys)
  await expect(find()).rejects.toThrow('no region: set AWS_REGION, or "region" of the profile "default"')
})

it('a profile with a multi-factor device asks for its code once, and the CDK gets the resulting credentials', async () => {
  const sts = createServer((_, response) =>
    response.end(`<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
      <AccessKeyId>assumed</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>
      <Expiration>2100-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`),
  ).listen(0)
  await once(sts, 'listening')
  const { port } = sts.address() as AddressInfo
  setEnvironment({ ...configurationFiles, AWS_ENDPOINT_URL_STS: `http://localhost:${port}` })
  const askedFor: string[] = []
  const caller = await find('mfa', async (serial) => {
    askedFor.push(serial)
    return '123456'
  })
  sts.close()
  expect(askedFor).toEqual(['arn:aws:iam::111122223333:mfa/me'])
  expect(environmentOf(process, caller, 'mfa')).toMatchObject({
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'assumed',
    AWS_SESSION_TOKEN: 't',
    AWS_PROFILE: 'mfa',
  })
})
