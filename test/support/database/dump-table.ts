import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb'
import { currentService } from '../../../shared/store/service.ts'
import { table } from '../../../shared/store/table.ts'
import { localClient } from '../../../tools/local/database.ts'

/** Returns everything in the test file's table and indexes as text, read without the code of the service. */
export const dumpTable = async (): Promise<string> => {
  const { endpoint, table: TableName } = currentService().settings()
  const client = localClient(endpoint as string)
  const found: Record<string, AttributeValue>[] = []
  for (const IndexName of [undefined, ...table.indexes.map(({ name }) => name)])
    for await (const { Items = [] } of paginateScan({ client }, { TableName, IndexName }))
      found.push(...Items)
  client.destroy()
  return JSON.stringify(found)
}
