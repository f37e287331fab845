import { gzipSync } from 'node:zlib'
import { CONSOLE_PATH } from '../../shared/contract/document-function.ts'
import { consoleFiles, consolePage } from '../../shared/site/console.ts'
import { pageHeaders } from '../../shared/site/page-headers.ts'

describe('the console', () => {
  it('takes at most 90 kB when compressed, which 400 kbit/s of slow 3G transfer in 1.8 seconds', () => {
    const { script, styles } = consoleFiles()
    const sizes = [consolePage(), script, styles].map((text) => gzipSync(text).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(90_000)
  })

  it('has no inline script or style, and escapes the credentials that are filled in', () => {
    expect(consolePage()).not.toMatch(/<style|<script(?![^>]* src=)|style=|data-a/)
    const page = consolePage({ app_id: '"><script>', api_key: '&quot;' })
    expect(page).toContain('data-app-id="&quot;><script>" data-api-key="&amp;quot;"')
  })

  it('lets the console only load from and connect to its own server, and create no markup from text', () => {
    expect(pageHeaders(CONSOLE_PATH)['content-security-policy']?.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      'img-src data:',
      "require-trusted-types-for 'script'",
      "script-src 'self'",
      "style-src 'self'",
      'trusted-types worker',
    ])
  })
})
