import 'fake-indexeddb/auto'
import { type IDBPDatabase, openDB } from 'idb'
import { type CopiedApplication, deleteCopy, openCopyDatabase } from '../../../console/copy/database.ts'

const application = { baseUrl: 'http://127.0.0.1:3000', appId: 'app_one' }
const otherApplication = { ...application, appId: 'app_two' }
/** The fields with which the copies of these tests are read. */
const FIELDS = 'id, name'
const customer = { id: 'cus_1', name: 'Ann Example' }

/** Returns the customers and their bookmark in the copy of an application. */
const storedCustomers = async (application: CopiedApplication, fields = FIELDS) => {
  const database = await openCopyDatabase(application, fields)
  const batches = await Array.fromAsync(database.all('customers'))
  return { customers: batches.flat(), bookmark: await database.bookmark('customers') }
}

describe('the copy that a browser stores', () => {
  it('is deleted at once although another tab has it open', async () => {
    const openElsewhere = await openCopyDatabase(application, FIELDS)
    await openElsewhere.write('customers', [customer], { since: 5, asOf: 6 })
    expect(await storedCustomers(application)).toEqual({
      customers: [customer],
      bookmark: { since: 5, asOf: 6 },
    })
    await deleteCopy(application)
    expect(await storedCustomers(application)).toEqual({ customers: [], bookmark: { since: 0, asOf: 0 } })
    await expect(openElsewhere.write('customers', [customer])).rejects.toThrow()
  })

  it('replaces the copy that an older version has stored', async () => {
    const oldApplication = { ...application, appId: 'app_old' }
    const name = `billing ${oldApplication.baseUrl} ${oldApplication.appId}`
    const older = await openDB(name, 1, {
      upgrade: (database: IDBPDatabase) => {
        database.createObjectStore('customers')
      },
    })
    older.close()
    expect(await storedCustomers(oldApplication)).toEqual({ customers: [], bookmark: { since: 0, asOf: 0 } })
  })

  it('keeps the bookmark of a list that was complete when it had no record yet', async () => {
    const emptyApplication = { ...application, appId: 'app_empty' }
    const database = await openCopyDatabase(emptyApplication, FIELDS)
    await database.write('customers', [], { since: 0, asOf: 6 })
    expect((await storedCustomers(emptyApplication)).bookmark).toEqual({ since: 0, asOf: 6 })
  })

  it('is read again if the records have other fields, also while another tab has it open', async () => {
    const grown = { ...application, appId: 'app_grown' }
    const openElsewhere = await openCopyDatabase(grown, FIELDS)
    await openElsewhere.write('customers', [customer], { since: 5, asOf: 6 })
    const read = await storedCustomers(grown, 'id, name, website')
    expect(read).toEqual({ customers: [], bookmark: { since: 0, asOf: 0 } })
    await expect(openElsewhere.write('customers', [customer])).rejects.toThrow()
  })

  it('is separate for each application', async () => {
    const database = await openCopyDatabase(application, FIELDS)
    await database.write('customers', [customer])
    const { customers } = await storedCustomers(otherApplication)
    expect(customers).toEqual([])
  })
})
