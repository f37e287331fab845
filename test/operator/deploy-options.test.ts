import { deploymentFrom } from '../../tools/operator/deploy-options.ts'

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
