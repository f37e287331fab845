import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { deploymentFrom } from '../../tools/operator/deploy-options.ts'
import { standIns } from '../support/processes/stand-ins.ts'

/** Runs the command against a stand-in for an AWS account without stacks, and a stand-in for `npx cdk`. */

interface Account {
  readonly concurrency: number
  /** Of API Gateway, for its logs. */
  readonly logRole?: string
}

const NO_STACK = `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>
<Message>Stack with id billing-prod does not exist</Message></Error></ErrorResponse>`

const responsesOf = ({ concurrency, logRole }: Account): Readonly<Record<string, string>> => ({
  '/account': JSON.stringify({ cloudwatchRoleArn: logRole }),
  '/2016-08-19/account-settings': JSON.stringify({
    AccountLimit: { ConcurrentExecutions: concurrency, UnreservedConcurrentExecutions: concurrency },
  }),
})

const deployTo = async (account: Account, stage: string) => {
  const responses = responsesOf(account)
  const server = createServer(({ url = '' }, response) => {
    const body = responses[url]
    response.writeHead(body === undefined ? 400 : 200).end(body ?? NO_STACK)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { env, calls } = standIns()
  try {
    const { stderr } = await promisify(execFile)(
      process.execPath,
      ['bin/deploy.ts', '-c', `stage=${stage}`],
      {
        env: {
          ...process.env,
          ...env,
          AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          AWS_REGION: 'eu-west-1',
          AWS_ACCESS_KEY_ID: 'AK',
          AWS_SECRET_ACCESS_KEY: 's',
        },
      },
    ).catch((failure: { stderr: string }) => failure)
    return { stderr, calls }
  } finally {
    server.close()
  }
}

it('refuses prod in an account with 400 concurrent executions before anything is created', async () => {
  const { stderr, calls } = await deployTo({ concurrency: 400 }, 'prod')
  expect(stderr).toBe(`deploy: nothing was deployed, because the account in eu-west-1
- has a quota of 400 concurrent executions of Lambda, of which 300 can still be reserved; the stage needs 800. Request a quota of 900, which can take days, or lower or remove reservedForUpdates of the stage in lib/stages.ts until you have it

Commands that change this:

aws service-quotas request-service-quota-increase --region eu-west-1 --service-code lambda --quota-code L-B99A9384 --desired-value 900 --no-cli-pager

Then deploy again.
`)
  expect(calls).toThrow('ENOENT')
})

it('deploys a stage that shares the log role of the account', async () => {
  const { stderr, calls } = await deployTo({ concurrency: 10, logRole: 'arn' }, 'dev-me')
  expect(stderr).toBe('deploy: billing-dev-me in eu-west-1: no such stack, so this is its first deployment\n')
  expect(calls().arguments).toBe('cdk\ndeploy\n-c\nstage=dev-me\n')
})

it('reads the last stage, in every form of the option, and passes it on to the CDK', () => {
  expect(deploymentFrom(['--context=stage=dev', '-c', 'a=b', '-cstage=prod'])).toEqual({
    stage: 'prod',
    hotfix: false,
    profile: undefined,
    cdkArgs: ['-c', 'stage=dev', '-c', 'a=b', '-c', 'stage=prod'],
  })
})

it('deploys the stage dev if none is given', () => {
  expect(deploymentFrom([])).toEqual({ stage: 'dev', hotfix: false, profile: undefined, cdkArgs: [] })
})

it('does not pass its own options on to the CDK', () => {
  const args = ['--hotfix', '--profile', 'ops', '--require-approval', 'never', '--profile=admin']
  const cdkArgs = ['--require-approval', 'never']
  expect(deploymentFrom(args)).toEqual({ stage: 'dev', hotfix: true, profile: 'admin', cdkArgs })
})

it('passes on options of `cdk deploy`, of all its commands, their letters and their negation', () => {
  const args = ['billing', '--revert-drift', '-v', '-Oout.json', '--no-rollback', '--tags', 'a=b']
  expect(deploymentFrom(args).cdkArgs).toEqual([
    'billing',
    '--revert-drift',
    '-v',
    '-O',
    'out.json',
    '--no-rollback',
    '--tags',
    'a=b',
  ])
})

it.each([
  ['--hotfx', 'unknown option --hotfx; did you mean --hotfix?'],
  ['--profil', 'unknown option --profil; did you mean --profile?'],
  ['--requireApproval', 'unknown option --requireApproval; did you mean --require-approval?'],
  ['--unheard-of', 'unknown option --unheard-of'],
])('refuses %s, which the CDK would ignore', (option, message) => {
  expect(() => deploymentFrom([option, 'x'])).toThrow(message)
})
