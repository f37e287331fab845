import { Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam'

/** Lets a role use the operator's key, where the table has one, and only through DynamoDB. */
export const keyGrant = (role: Role, { encryptionKey }: ITable): void => {
  if (!encryptionKey) return
  role.addToPolicy(
    new PolicyStatement({
      actions: [
        'kms:Decrypt',
        'kms:DescribeKey',
        'kms:Encrypt',
        'kms:GenerateDataKey',
        'kms:ReEncryptFrom',
        'kms:ReEncryptTo',
      ],
      resources: [encryptionKey.keyArn],
      conditions: {
        StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(role).region}.amazonaws.com` },
      },
    }),
  )
}
