import { type StageSettings, stages } from '../../lib/stages.ts'
import { everyOption, synthesise } from '../support/synthesis.ts'

const { prod, standby }: Record<'prod' | 'standby', StageSettings> = stages

/** Returns the regions in the ARNs of a text. */
const regionsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/arn:aws:(?:acm|kms):([\w-]+):/g)].map(([, region]) => region!)),
]

it('the second region has what production has, and nothing of its region', () => {
  const there = regionsIn(JSON.stringify(standby))
  expect(there.length).toBeLessThan(2)
  for (const region of regionsIn(JSON.stringify(prod))) expect(there).not.toContain(region)
  expect(standby.domain?.name).toBe(prod.domain?.name)
  expect(standby.domain?.hostedZone).toBeUndefined()
  expect(standby.keyArn === undefined).toBe(prod.keyArn === undefined)
  expect(standby.table.ceiling).toEqual(prod.table.ceiling)
  expect(standby.table.kept).toBe(true)
})

it('the second region can be deployed with a key and a domain of its own while the first one has both', () => {
  const own = (arn: string) => arn.replace('eu-west-1', 'eu-central-1')
  const { hostedZone: _, ...domain } = everyOption.domain!
  const made = synthesise('standby', {
    ...standby,
    keyArn: own(everyOption.keyArn!),
    domain: { ...domain, certificateArn: own(domain.certificateArn) },
  })
  expect(regionsIn(JSON.stringify(made.template.toJSON()))).toEqual(['eu-central-1'])
  expect(made.stack.stackName).toBe('billing-standby')
  // The record of the first region still exists; the guide moves it.
  expect(made.all('AWS::Route53::RecordSet')).toEqual([])
  expect(JSON.stringify(made.template.toJSON().Outputs)).toContain('CNAME record for billing.example.org')
})
