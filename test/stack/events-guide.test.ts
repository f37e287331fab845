import { readFileSync } from 'node:fs'
import { pastedScript } from '../support/documents/operating-guide.ts'
import { runOnStandIns } from '../support/processes/stand-ins.ts'
import { documentedEvent, validatorOfEvent } from '../support/requests/openapi-document.ts'

const guide = readFileSync('docs/events.md', 'utf8')
const codeBlocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  )

it('docs/events.md shows the event of the OpenAPI document', () => {
  const [shownEvent = ''] = codeBlocks('json')
  const { resources, ...event } = JSON.parse(shownEvent)
  expect(resources).toEqual([])
  expect(event).toEqual(documentedEvent().examples.invoice!.value)
  expect(validatorOfEvent()(JSON.parse(shownEvent))).toBe(true)
})

it.each(codeBlocks('sh').map((block) => [block.split('\n')[0]!, block]))(
  'a block of docs/events.md runs after the operator’s guide has set its variables: %s',
  (_, block) => {
    const calls = runOnStandIns(`${pastedScript([])}\nNEW=x\n${block}`)
    expect(calls.arguments).toMatch(/^(sqs|pipes|dynamodb)$/m)
  },
)

it.each(codeBlocks('sh').filter((block) => block.includes('create-queue')))(
  'only the rule of block %# of docs/events.md is allowed to send to its queue',
  (block) => {
    const { input, arguments: commandArguments } = runOnStandIns(`${pastedScript([])}\n${block}`)
    const { Policy } = JSON.parse(input('set-queue-attributes'))
    const [, rule] = /--name\n(.*)/.exec(commandArguments)!
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
