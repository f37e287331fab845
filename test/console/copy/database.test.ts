import 'fake-indexeddb/auto'
import { type IDBPDatabase, openDB } from 'idb'
import { deleteCopy, openDatabase } from '../../../console/copy/database.ts'

const application = { baseUrl: 'http://127.0.0.1:3000', appId: 'app_one' }
const other = { ...application, appId: 'app_two' }
const customer = { id: 'cus_1', name: 'Ann Example' }

const customersIn = async (opened: typeof application) => {
  const database = await openDatabase(opened)
  const batches = await Array.fromAsync(database.all('customers'))
  return { customers: batches.flat(), bookmark: await database.bookmark('customers') }
}

describe('the copy that a browser keeps', () => {
  it('is forgotten at once although another tab has it open', async () => {
    const openElsewhere = await openDatabase(application)
    await openElsewhere.write('customers', [customer as never], { since: 5, asOf: 6 })
    expect(await customersIn(application)).toEqual({ customers: [customer], bookmark: { since: 5, asOf: 6 } })
    await deleteCopy(application)
    expect(await customersIn(application)).toEqual({ customers: [], bookmark: { since: 0, asOf: 0 } })
    await expect(openElsewhere.write('customers', [customer as never])).rejects.toThrow()
  })

  it('takes the place of what an older version has kept', async () => {
    const old = { ...application, appId: 'app_old' }
    const upgrade = (database: IDBPDatabase) => void database.createObjectStore('customers')
    const older = await openDB(`billing ${old.baseUrl} ${old.appId}`, 1, { upgrade })
    older.close()
    expect(await customersIn(old)).toEqual({ customers: [], bookmark: { since: 0, asOf: 0 } })
  })

  it('is another one for each application', async () => {
    await (await openDatabase(application)).write('customers', [customer as never])
    expect((await customersIn(other)).customers).toEqual([])
  })
})
