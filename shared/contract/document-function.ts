import type { Deployable } from './deployable.ts'

/** The paths of the documentation page and the console, and of their files. */
export const DOCS_PATH = '/docs'
export const DOCS_SCRIPT_PATH = `${DOCS_PATH}/scalar.js`
export const CONSOLE_PATH = '/console'
export const CONSOLE_SCRIPT_PATH = `${CONSOLE_PATH}/console.js`
export const CONSOLE_STYLES_PATH = `${CONSOLE_PATH}/console.css`

/** Serves the OpenAPI document, the documentation page and the console, which require no key. */
export const documentFunction: Deployable = {
  id: 'openapi.retrieve',
  method: 'GET',
  path: '/openapi.json',
  pages: {
    docs: [DOCS_PATH, DOCS_SCRIPT_PATH],
    console: [CONSOLE_PATH, CONSOLE_SCRIPT_PATH, CONSOLE_STYLES_PATH],
  },
  summary: 'The OpenAPI document',
  file: 'functions/openapi/retrieve.ts',
  usesTable: false,
  throttle: 'document',
}
