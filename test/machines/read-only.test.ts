import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../tools/cli/command.ts'
import { prepareOutputFolder } from '../../tools/cli/output-folder.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'

it('reports in one line that a folder cannot be written, as in a read-only checkout', () => {
  const file = join(temporaryFolder(), 'dist')
  writeFileSync(file, '')
  const prepare = () => prepareOutputFolder(join(file, 'functions'))
  expect(prepare).toThrow(CommandError)
  expect(prepare).toThrow(/^cannot write to the folder "[^\n]*functions": [^\n]+$/)
})
