import { Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type IKey, Key } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'
import type { StageSettings } from './stages.ts'

const CONSTRUCT_ID = 'OperatorKey'

/** One construct per stack; undefined if the stage has no key. */
export const operatorKey = (scope: Construct, { keyArn }: StageSettings): IKey | undefined => {
  if (!keyArn) return undefined
  const stack = Stack.of(scope)
  return (
    (stack.node.tryFindChild(CONSTRUCT_ID) as IKey | undefined) ?? Key.fromKeyArn(stack, CONSTRUCT_ID, keyArn)
  )
}

const actions = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo']

/**
 * Only through DynamoDB, which uses the key of a table that the caller may access. The permission does not
 * name a key, and stages without a key have it too. So a table in use can get a key or another key, although
 * CloudFormation updates roles after the table. A role that only reads needs only `Decrypt`.
 */
export const kmsStatement = (scope: Construct, names: readonly string[] = actions): PolicyStatement =>
  new PolicyStatement({
    actions: names.map((action) => `kms:${action}`),
    resources: ['*'],
    conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(scope).region}.amazonaws.com` } },
  })
