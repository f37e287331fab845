import { fileURLToPath } from 'node:url'
import base from '../../jest.config.js'

/** @type {import('jest').Config} The tests of one area, which `run.ts` names. */
export default {
  ...base,
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  testMatch: JSON.parse(process.env.MUTATION_TESTS ?? '[]').map(
    (start) => `<rootDir>/test/${start}*.test.ts`,
  ),
}
