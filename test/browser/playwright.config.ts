import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { reportMissingTool } from '../support/packages/missing-tool.ts'

const { CHROMIUM } = process.env
/** The headless shell comes first: it has no browser window, and drawing one takes as long as drawing the page. */
const candidates = CHROMIUM
  ? [CHROMIUM]
  : ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
      (name) => `/usr/bin/${name}`,
    )

/** The Chromium of this machine, or the one that CHROMIUM names. Playwright downloads no browser. */
const executablePath = candidates.find((path) => existsSync(path))
if (!executablePath) {
  reportMissingTool(
    `the check needs Chromium, which is not at ${candidates.join(', ')} (set CHROMIUM to its path).`,
  )
  process.exit()
}

const missingPrograms = ['firefox-esr', 'WebKitWebDriver', 'xvfb-run', 'xauth'].filter(
  (program) => !existsSync(`/usr/bin/${program}`),
)
// Each worker reads the configuration too.
if (missingPrograms.length > 0 && !process.env.TEST_WORKER_INDEX) {
  reportMissingTool(
    `the steps in Firefox and WebKit need Debian's firefox-esr, webkit2gtk-driver, xvfb and xauth: ${missingPrograms.join(', ')} is missing.`,
  )
  if (process.env.CI) process.exit()
}

/** The tests in a browser. They are not part of `npm test`, because not every machine has a browser. */
export default defineConfig({
  testDir: '.',
  globalSetup: './steps/record-demo.ts',
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: 2,
  // Reading 280,000 invoices takes two minutes, so this test runs on demand: `LONG=1 npm run check:browser -- many-invoices`.
  testIgnore: [
    ...(process.env.LONG ? [] : ['**/many-invoices.spec.ts']),
    ...(existsSync('/usr/bin/pdftotext') ? [] : ['**/paper.spec.ts']),
    ...(missingPrograms.length > 0 ? ['**/other-browsers.spec.ts'] : []),
  ],
  reporter: 'list',
  outputDir: '../../.playwright',
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-sync',
        '--disable-background-networking',
        '--disable-component-update',
      ],
    },
  },
})
