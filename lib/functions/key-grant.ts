import { Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'

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
