import { globSync, readFileSync } from 'node:fs'
import { pastedBlocks } from '../support/documents/shell-portability.ts'
import {
  blocksWithResponses,
  commandsFor,
  documentsWithResponses,
  expectShownResponses,
} from '../support/documents/shown-responses.ts'
import { freeSettings, killLocalProcesses, startLocalProcess } from '../support/processes/local-process.ts'
import { runOnStandIns, type StandInCalls, standIns } from '../support/processes/stand-ins.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import { type Pasted, paste } from './paste.ts'

/** What people paste, pasted into the shells that they use. */

const service = freeSettings()
let baseUrl: string
beforeAll(async () => {
  baseUrl = (await startLocalProcess(service)).baseUrl
})
afterAll(killLocalProcesses)

const documents = ['docs/operating.md', ...globSync(['*.md', 'docs/!(operating).md']).sort()]
const withResponses = new Set(documentsWithResponses.flatMap(([, text]) => blocksWithResponses(text)))
/** The other blocks of the documents, those of the operator's guide first, whose variables others use. */
const blocks = documents
  .flatMap((file) => pastedBlocks(readFileSync(file, 'utf8')))
  .filter((block) => !withResponses.has(block))

const shells = [
  ['zsh', '-f', '-i'],
  ['bash', '--norc', '--noprofile', '-i'],
]
const ways = shells.flatMap((shell) => [true, false].map((bracketed) => ({ shell, bracketed })))

/** Returns what the shell itself complains about. */
const complaints = ({ screen }: Pasted): string[] => screen.match(/^(?:zsh|bash): .*/gm) ?? []

/** Returns the arguments of calls without times in seconds. */
const timeless = (calls: StandInCalls): string => calls.arguments.replaceAll(/^\d{10}$/gm, 'TIME')

describe.each(ways)('in $shell.0, bracketed: $bracketed,', (way) => {
  it('every block makes the calls that it makes in a script', async () => {
    const folder = temporaryFolder()
    const commands = blocks.map((block) => block.replaceAll('my-data', folder))
    const { env, calls } = standIns()
    const pasted = await paste(['set -u', ...commands], way, env)
    expect(complaints(pasted)).toEqual([])
    expect(timeless(calls())).toBe(timeless(runOnStandIns(commands.join('\n'))))
  })

  it.each(documentsWithResponses)(
    'the commands of %s print the responses that it shows',
    async (name, text) => {
      const pasted = await paste(commandsFor(name, text, baseUrl), way, service)
      expect(complaints(pasted)).toEqual([])
      expectShownResponses(pasted.out, text)
      const onScreen = [...text.matchAll(/```text\n([^`]*)```/g)].map(([, lines]) => lines).join('')
      const screen = pasted.screen.replaceAll('\r', '').replaceAll(/\/\S*(?=my-data)/g, '')
      expect(screen).toContain(onScreen)
    },
  )
})
