import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const { CHROMIUM } = process.env
const candidates = CHROMIUM
  ? [CHROMIUM]
  : ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Returns the path of this machine's Chromium, or of the one that CHROMIUM names; undefined if there is none. */
export const chromiumPath = candidates.find((path) => existsSync(path))

export const NO_CHROMIUM = `the check needs Chromium, which is not at ${candidates.join(', ')} (set CHROMIUM to its path).`

export const launchArguments = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
]

/** Starts the browser with a temporary profile. */
export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, headless: true, args: launchArguments })
