import { resolve } from 'node:path'
import { withoutAccount } from './test/support/processes/no-account.ts'

// The processes of Jest and of tests have this environment.
process.env = withoutAccount(process.env)

// The processes of tests start in half the time if Node does not compile the same sources again.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/node')

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.{ts,tsx}'],
  transform: {
    '\\.m?[jt]s$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } } }],
    '\\.tsx$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
        },
      },
    ],
  },
  // Packages of ES modules alone are compiled like our own sources.
  transformIgnorePatterns: [
    '/node_modules/(?!@middy/|d3-array/|get-port/|internmap/|preact/|preact-render-to-string/)',
  ],
  moduleNameMapper: {
    '^@middy/([^/]+)$': '<rootDir>/node_modules/@middy/$1/index.js',
    // Views import their styles, which no text has.
    '\\.css$': '<rootDir>/test/support/no-styles.ts',
  },
  globalSetup: '<rootDir>/test/support/database/engine-setup.ts',
  globalTeardown: '<rootDir>/test/support/database/engine-teardown.ts',
  setupFiles: ['<rootDir>/test/support/language.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/support/assertions.ts'],
  maxWorkers: 2,
  testTimeout: 120_000,
}
