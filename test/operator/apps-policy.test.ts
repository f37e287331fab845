import { applicationKey, entityKey, listOf } from '../../shared/store/keys.ts'
import { commands } from '../../tools/operator/apps-commands.ts'
import { policyIn } from '../support/operating.ts'
import { leadingKeys, recordCommands, rightsFor } from '../support/rights.ts'
import { serveForTests } from '../support/service.ts'

serveForTests()

const { Statement } = policyIn('Who may do it') as {
  Statement: { Action: string[]; Resource: string[]; Condition: Record<string, Record<string, string>> }[]
}
const [statement] = Statement

/** Whether the policy's condition lets a command name these partition keys. */
const allows = (keys: readonly string[]): boolean => {
  const pattern = statement!.Condition['ForAllValues:StringNotLike']!['dynamodb:LeadingKeys']!
  const matching = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
  return keys.length > 0 && keys.every((key) => !matching.test(key))
}

it('the policy for who runs apps allows what its commands do except remove, and nothing else', async () => {
  const sent = recordCommands()
  const made = (await commands.create!.run({ name: 'Shop', app: '', key: '' })) as Record<string, string>
  const options = { name: 'Shop', app: made.app_id!, key: made.api_key! }
  const { key_id } = (await commands.find!.run(options)) as { key_id: string }
  const others = Object.keys(commands).filter((name) => !['create', 'find', 'remove'].includes(name))
  for (const name of others) await commands[name]!.run({ ...options, key: key_id })
  const rights = new Set(sent.flatMap(rightsFor))
  const allowed = statement!.Resource.flatMap((arn) => {
    const [, index] = arn.split('/index/')
    return statement!.Action.filter((action) => !index || action === 'dynamodb:Query').map((action) =>
      index ? `${action} on ${index}` : action,
    )
  })
  expect([...rights].sort()).toEqual(allowed.sort())
  expect(sent.map(leadingKeys).filter((keys) => !allows(keys))).toEqual([])
})

it.each([
  ['an application', applicationKey('app_1').pk, true],
  ['an entity', entityKey('app_1', 'cus_1').pk, false],
  ['a list of entities', listOf('app_1', 'customers'), false],
])('the policy tells by the key what may be reached: %s', (_, key, reached) =>
  expect(allows([key])).toBe(reached),
)
