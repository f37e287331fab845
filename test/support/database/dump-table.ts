import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb'
import { currentService } from '../../../shared/store/service.ts'
import { table } from '../../../shared/store/table.ts'
import { localClient } from '../../../tools/local/database.ts'

type StoredItem = Readonly<Record<string, AttributeValue>>

/** The items, then the entries of each index, read without the code of the service. */
const readTable = async (): Promise<StoredItem[]> => {
  const { endpoint, table: TableName } = currentService().settings()
  const client = localClient(endpoint as string)
  const items: StoredItem[] = []
  for (const IndexName of [undefined, ...table.indexes.map(({ name }) => name)])
    for await (const { Items = [] } of paginateScan({ client }, { TableName, IndexName }))
      items.push(...Items)
  client.destroy()
  return items
}

export const dumpTable = async (): Promise<string> => JSON.stringify(await readTable())

export const storedItems = async (appId: string): Promise<StoredItem[]> => {
  const items = await readTable()
  return items.filter(({ pk }) => pk?.S?.startsWith(appId))
}
