import { execFileSync } from 'node:child_process'
import { singleQuoted } from '../../shared/text/shell.ts'

it.each(['', 'plain', "it's", "''", '$HOME `id` "x" \\ !', 'two\nlines'])(
  'quotes a text so that a shell passes it to a command unchanged: %j',
  (text) => {
    const printed = execFileSync('sh', ['-c', `printf %s ${singleQuoted(text)}`], { encoding: 'utf8' })
    expect(printed).toBe(text)
  },
)
