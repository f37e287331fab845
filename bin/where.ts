import { mappedBundle } from '../lib/source-position.ts'
import { catalogue } from '../shared/api/catalogue.ts'

const [operation, ...positions] = process.argv.slice(2)
const endpoint = catalogue.find(({ id }) => id === operation)
const parsed = positions.map((position) => /(\d+):(\d+)\)?$/.exec(position))

if (!endpoint || parsed.length === 0 || parsed.includes(null)) {
  console.error(
    'usage: npm run where -- OPERATION LINE:COLUMN …, of a stack in the log, at the commit deployed',
  )
  process.exitCode = 2
} else {
  const { sourceOf } = await mappedBundle(endpoint)
  for (const match of parsed)
    console.log(sourceOf(Number(match![1]), Number(match![2])) ?? 'not of any source')
}
