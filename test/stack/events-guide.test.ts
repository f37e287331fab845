import { readFileSync } from 'node:fs'
import { pastedScript } from '../support/documents/operating-guide.ts'
import { runOnStandIns } from '../support/processes/stand-ins.ts'
import { documentedEvent, validatorOfEvent } from '../support/requests/openapi-document.ts'

const guide = readFileSync('docs/events.md', 'utf8')
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  )

it('docs/events.md shows the event of the OpenAPI document', () => {
  const [shown = ''] = blocks('json')
  const { resources, ...event } = JSON.parse(shown)
  expect({ resources, event }).toEqual({ resources: [], event: documentedEvent().examples.invoice!.value })
  expect(validatorOfEvent()(JSON.parse(shown))).toBe(true)
})

it.each(blocks('sh').map((block) => [block.split('\n')[0]!, block]))(
  'a block of docs/events.md runs after the variables of the operator’s guide: %s',
  (_, block) => {
    const calls = runOnStandIns(`${pastedScript([])}\nNEW=x\n${block}`)
    expect(calls.arguments).toMatch(/^(sqs|pipes|dynamodb)$/m)
  },
)

it.each(blocks('sh').filter((block) => block.includes('create-queue')))(
  'only the rule of block %# of docs/events.md may send to its queue',
  (block) => {
    const { input, arguments: words } = runOnStandIns(`${pastedScript([])}\n${block}`)
    const { Policy } = JSON.parse(input('set-queue-attributes'))
    const [, rule] = /--name\n(.*)/.exec(words)!
    expect(JSON.parse(Policy).Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'sqs:SendMessage',
        Principal: { Service: 'events.amazonaws.com' },
        Resource: expect.stringMatching(/^arn:aws:sqs:eu-west-1:abc123:billing-prod-[\w-]+$/),
        Condition: {
          ArnEquals: { 'aws:SourceArn': `arn:aws:events:eu-west-1:abc123:rule/billing-prod/${rule}` },
        },
      },
    ])
  },
)
