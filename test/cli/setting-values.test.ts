import { UsageError } from '../../tools/cli/command.ts'
import { urlFrom } from '../../tools/cli/setting-values.ts'

it.each(['', 'localhost:3000', 'ftp://x', 'xhttps://x', 'httpsx://x', '/api', 'http://[', 'http://x?y'])(
  'refuses "%s" as an address',
  (text) => {
    const read = () => urlFrom('URL', text)
    expect(read).toThrow(UsageError)
    expect(read).toThrow(`URL must be an address that begins with http:// or https:// (got "${text}")`)
  },
)
