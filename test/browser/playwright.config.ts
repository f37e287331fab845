import { defineConfig } from '@playwright/test'
import { missingTool } from '../support/missing-tool.ts'
import { chromiumPath, launchArguments, NO_CHROMIUM } from './chromium.ts'

if (!chromiumPath) missingTool(NO_CHROMIUM)

/** The tests in a browser: that of this machine, which is not downloaded. */
export default defineConfig({
  testDir: '.',
  testMatch: chromiumPath ? '**/*.spec.ts' : [],
  timeout: 120_000,
  expect: { timeout: 15_000 },
  workers: 1,
  reporter: 'list',
  outputDir: '../../.playwright',
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    launchOptions: { executablePath: chromiumPath!, args: launchArguments },
  },
})
