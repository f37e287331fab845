import { mappedBundle } from '../lib/bundle/source-position.ts'
import { deployables } from '../shared/catalogue.ts'
import { runCommand, UsageError } from '../tools/operator/command.ts'

const positionIn = (text: string): [line: number, column: number] => {
  const match = /(\d+):(\d+)\)?$/.exec(text)
  if (!match) throw new UsageError(`"${text}" does not end with LINE:COLUMN`)
  return [Number(match[1]), Number(match[2])]
}

await runCommand({
  name: 'where',
  usage: `usage: npm run where -- OPERATION LINE:COLUMN …
       prints the source of frames of "error.stack" in the log; run it at the deployed commit`,
  run: async ([operation, ...frames]) => {
    const deployable = deployables.find(({ id }) => id === operation)
    if (!deployable)
      throw new UsageError(`OPERATION must be one of ${deployables.map(({ id }) => id).join(', ')}`)
    if (frames.length === 0) throw new UsageError('LINE:COLUMN is missing')
    const positions = frames.map(positionIn)
    const { sourceOf } = await mappedBundle(deployable)
    for (const position of positions) console.log(sourceOf(...position) ?? 'no source')
  },
})
