import { readFileSync } from 'node:fs'

const workflows = ['check', 'release']
  .map((name) => readFileSync(`.github/workflows/${name}.yml`, 'utf8'))
  .join('')

it('the workflows pin every action to a commit', () => {
  const versions = [...workflows.matchAll(/uses: [\w-]+\/[^@\n]+@(.*)/g)].map(([, version]) => version!)
  expect(versions.filter((version) => !/^[0-9a-f]{40} # v/.test(version))).toEqual([])
  expect(versions).not.toEqual([])
})

it('only the deployment can ask for credentials, and it runs no install scripts', () => {
  const [otherJobs = '', deployment = ''] = workflows.split('  deploy:')
  expect(otherJobs).not.toContain('id-token')
  expect(deployment).toContain('id-token: write')
  expect(deployment.match(/npm ci.*/g)).toEqual(['npm ci --ignore-scripts'])
})
