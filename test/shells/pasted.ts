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
import { type PasteOutput, paste } from './paste.ts'

/** Pastes the blocks of the documents into the shells that people use. */

const service = freeSettings()
let baseUrl: string
beforeAll(async () => {
  baseUrl = (await startLocalProcess(service)).baseUrl
})
afterAll(killLocalProcesses)

const documents = ['docs/operating.md', ...globSync(['*.md', 'docs/!(operating).md']).sort()]
const withResponses = new Set(documentsWithResponses.flatMap(([, text]) => blocksWithResponses(text)))
/**
 * The other blocks of the documents. The operator's guide is first, because other blocks use its variables.
 */
const blocks = documents
  .flatMap((file) => pastedBlocks(readFileSync(file, 'utf8')))
  .filter((block) => !withResponses.has(block))

const shells = [
  ['zsh', '-f', '-i'],
  ['bash', '--norc', '--noprofile', '-i'],
]
const targets = shells.flatMap((shell) => [true, false].map((isBracketed) => ({ shell, isBracketed })))

const shellErrors = ({ screen }: PasteOutput): string[] => screen.match(/^(?:zsh|bash): .*/gm) ?? []

const argumentsWithoutTimes = (calls: StandInCalls): string =>
  calls.arguments.replaceAll(/^\d{10}$/gm, 'TIME')

describe.each(targets)('in $shell.0, bracketed: $isBracketed,', (target) => {
  it('runs every block with the same calls as in a script', async () => {
    const folder = temporaryFolder()
    const commands = blocks.map((block) => block.replaceAll('my-data', folder))
    const { env, calls } = standIns()
    const pasted = await paste(['set -u', ...commands], target, env)
    expect(shellErrors(pasted)).toEqual([])
    expect(argumentsWithoutTimes(calls())).toBe(argumentsWithoutTimes(runOnStandIns(commands.join('\n'))))
  })

  it.each(documentsWithResponses)('prints the responses that %s shows', async (name, text) => {
    const pasted = await paste(commandsFor(name, text, baseUrl), target, service)
    expect(shellErrors(pasted)).toEqual([])
    expectShownResponses(pasted.out, text)
    const expectedScreen = [...text.matchAll(/```text\n([^`]*)```/g)].map(([, lines]) => lines).join('')
    const screen = pasted.screen.replaceAll('\r', '').replaceAll(/\/\S*(?=my-data)/g, '')
    expect(screen).toContain(expectedScreen)
  })
})
