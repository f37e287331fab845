import { Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type IKey, Key } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'
import type { StageSettings } from './stages.ts'

const ID = 'OperatorKey'

/** Returns the operator's KMS key, one construct per stack; undefined if the stage has none. */
export const operatorKey = (scope: Construct, { keyArn }: StageSettings): IKey | undefined => {
  if (!keyArn) return undefined
  const stack = Stack.of(scope)
  return (stack.node.tryFindChild(ID) as IKey | undefined) ?? Key.fromKeyArn(stack, ID, keyArn)
}

const actions = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo']

/**
 * Returns the permission to use the table's KMS key through DynamoDB only; none if the table has no custom key. A role that
 * only reads needs `Decrypt` alone.
 */
export const keyStatements = (
  scope: Construct,
  { encryptionKey }: ITable,
  names: readonly string[] = actions,
): PolicyStatement[] => {
  if (!encryptionKey) return []
  const service = `dynamodb.${Stack.of(scope).region}.amazonaws.com`
  return [
    new PolicyStatement({
      actions: names.map((action) => `kms:${action}`),
      resources: [encryptionKey.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': service } },
    }),
  ]
}
