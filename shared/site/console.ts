import { CONSOLE_SCRIPT_PATH, CONSOLE_STYLES_PATH } from '../contract/document-function.ts'
import type { Credentials } from '../store/credentials.ts'
import { type BrowserFiles, filesForBrowser } from './browser-files.ts'

/** Escapes a text for the value of an attribute. */
const inAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** The attributes with which the sign-in form is filled in. */
const signInAttributes = ({ app_id, api_key }: Credentials): string =>
  ` data-app-id="${inAttribute(app_id)}" data-api-key="${inAttribute(api_key)}"`

/** A square with three bars. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1f5fae"/><path d="M3.5 13V9h2v4zm3.5 0V6h2v7zm3.5 0V3h2v10z" fill="#fff"/></svg>',
)}`

/** `demo` is filled in for the sign-in. The addresses are relative, because a stage can precede them. */
export const consolePage = (demo?: Credentials): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Billing console</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href=".${CONSOLE_STYLES_PATH}">
<script type="module" src=".${CONSOLE_SCRIPT_PATH}"></script>
</head>
<body>
<div id="app"${demo ? signInAttributes(demo) : ''}></div>
</body>
</html>
`

let built: BrowserFiles | undefined

/** The console's script and styles, as a browser loads them. They are built once. */
export const consoleFiles = (): BrowserFiles => {
  built ??= filesForBrowser('console/main.tsx')
  return built
}
