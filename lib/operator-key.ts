import { Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type IKey, Key } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'
import type { StageSettings } from './stages.ts'

const ID = 'OperatorKey'

/** The operator's own KMS key, the same construct throughout a stack; undefined where the stage names none. */
export const operatorKey = (scope: Construct, { keyArn }: StageSettings): IKey | undefined => {
  if (!keyArn) return undefined
  const stack = Stack.of(scope)
  return (stack.node.tryFindChild(ID) as IKey | undefined) ?? Key.fromKeyArn(stack, ID, keyArn)
}

const actions = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo']

/** The right to use the operator's key, where the table has one, and only through DynamoDB. */
export const keyStatements = (scope: Construct, { encryptionKey }: ITable): PolicyStatement[] => {
  if (!encryptionKey) return []
  const service = `dynamodb.${Stack.of(scope).region}.amazonaws.com`
  return [
    new PolicyStatement({
      actions: actions.map((action) => `kms:${action}`),
      resources: [encryptionKey.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': service } },
    }),
  ]
}
