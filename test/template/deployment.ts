import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation'
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { table as definition } from '../../shared/store/table.ts'
import { adapted, type TemplateJson, taken } from './adapted.ts'
import type { Emulator } from './emulator.ts'

const require = (what: string, holds: boolean): void => {
  if (!holds) throw new Error(`Not so: ${what}`)
}

const statusOf = async (client: CloudFormationClient, id: string): Promise<string | undefined> =>
  (await client.send(new DescribeStacksCommand({ StackName: id }))).Stacks?.[0]?.StackStatus

const resourcesOf = async (client: CloudFormationClient, id: string): Promise<StackResourceSummary[]> => {
  const all: StackResourceSummary[] = []
  for await (const page of paginateListStackResources({ client }, { StackName: id }))
    all.push(...(page.StackResourceSummaries ?? []))
  return all
}

/** Returns the table, or undefined if it does not exist. */
const tableMade = async (client: DynamoDBClient, name: string) => {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return undefined
    throw error
  }
}

const idsOf = (template: TemplateJson, type: string): string[] =>
  Object.entries(template.Resources).flatMap(([id, { Type }]) => (Type === type ? [id] : []))

/**
 * Creates a stack in the emulator through CloudFormation's API, looks at it, and deletes it. Returns how many
 * resources of how many were made; throws when something is not as the template says.
 */
export const deploy = async (emulator: Emulator, name: string, template: TemplateJson): Promise<string> => {
  const formation = new CloudFormationClient(emulator.client)
  const database = new DynamoDBClient(emulator.client)
  const sent = adapted(template)
  const expected = taken(sent)
  const body = { TemplateBody: JSON.stringify(sent), Capabilities: ['CAPABILITY_IAM' as const] }
  const { StackId: id } = await formation.send(new CreateStackCommand({ StackName: name, ...body }))
  require('the stack is complete', (await statusOf(formation, id!)) === 'CREATE_COMPLETE')
  const made = await resourcesOf(formation, id!)
  const physical = new Map(made.map((each) => [each.LogicalResourceId, each.PhysicalResourceId]))
  for (const logical of expected) require(`${logical} was made`, physical.has(logical))
  const [tableId] = idsOf(sent, 'AWS::DynamoDB::Table') as [string]
  const table = await tableMade(database, physical.get(tableId)!)
  const indexes = table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).sort()
  require('the table has its indexes', String(indexes) ===
    String(definition.indexes.map((each) => each.name).sort()))
  await formation.send(new DeleteStackCommand({ StackName: id }))
  require('the stack is deleted', (await statusOf(formation, id!)) === 'DELETE_COMPLETE')
  const kept = template.Resources[tableId]?.DeletionPolicy === 'Retain'
  const left = (await tableMade(database, physical.get(tableId)!)) !== undefined
  require(kept ? 'the table outlives the stack' : 'the table goes with the stack', left === kept)
  return `${expected.length} of ${Object.keys(template.Resources).length} resources`
}
