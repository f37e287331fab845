import { collection } from '../shared/local/collection.ts'

const [baseUrl = 'http://localhost:3000'] = process.argv.slice(2)
console.log(JSON.stringify(await collection(baseUrl), null, 2))
