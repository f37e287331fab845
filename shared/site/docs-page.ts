import type { Credentials } from '../store/credentials.ts'
import { type BrowserFiles, filesForBrowser } from './browser-files.ts'
import { guides } from './guides.ts'
import { LOCAL_ADDRESS, samples } from './samples.ts'

// The introduction comes first, then the cards, then the guides, whose tables need the full width. Status
// codes, descriptions and code wrap, so that nothing is cut off at the edge.
const customCss = `.introduction-section .section-columns { flex-direction: column; align-items: stretch }
.introduction-section .section-column { width: 100%; max-width: 100% }
.introduction-section .section-column:first-child, .introduction-section .introduction-description { display: contents !important }
.introduction-description > * { order: 1 }
.introduction-description > :nth-child(-n + 2) { order: -1 }
.introduction-section .markdown table { display: block; width: fit-content; max-width: 100%; overflow-x: auto }
.introduction-section .markdown :is(th, td) { word-break: normal; overflow-wrap: break-word; min-width: 6em }
.tab-list { flex-wrap: wrap; row-gap: 14px !important }
.responses-list--tree .markdown-summary, .responses-list--tree .markdown-summary * { display: block; white-space: normal; overflow: visible; width: auto }
.scalar-app pre, .scalar-app pre * { white-space: pre-wrap !important; overflow-wrap: anywhere }
.scalar-app pre { width: auto }`

/** Only the samples of curl, of Python's requests and of the typed client are shown. */
const hiddenClients =
  `c clojure csharp dart fsharp go http java js julia kotlin node objc ocaml php powershell r ruby rust
  swift python/python3 python/aiohttp python/httpx_sync python/httpx_async shell/httpie shell/wget`.split(
    /\s+/,
  )

const settings = (demo: Credentials | undefined) => ({
  theme: 'default',
  layout: 'modern',
  customCss,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  // The page has a search of its own, which finds the words of the guides.
  hideSearch: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  // A downloaded document would have the guides in its description, unlike /openapi.json.
  documentDownloadType: 'none',
  modelsSectionLabel: 'Schemas',
  orderSchemaPropertiesBy: 'preserve',
  persistAuth: false,
  hiddenClients,
  authentication: {
    preferredSecurityScheme: [['apiKey', 'appId']],
    ...(demo ? { securitySchemes: { apiKey: { token: demo.api_key }, appId: { value: demo.app_id } } } : {}),
  },
})

// An unescaped "<" could close the script element.
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const contentOf = (demo: Credentials | undefined) => ({
  guides: guides(),
  settings: settings(demo),
  samples: samples(),
  localAddress: LOCAL_ADDRESS,
})

let built: BrowserFiles | undefined

/** The script and the styles of the page. They are built once, unlike the guides. */
const pageFiles = (): BrowserFiles => {
  built ??= filesForBrowser('console/guides/main.tsx')
  return built
}

/**
 * The documentation page: the guides, and the OpenAPI document of its server. `demo` is filled in for
 * requests sent from the page. Addresses are relative to the page's own, which begins with a stage once
 * deployed.
 */
export const docsPage = (demo?: Credentials): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Subscription Billing Data API</title>
<link rel="icon" href="data:,">
<style>${pageFiles().styles}</style>
</head>
<body>
<div id="bar"></div>
<div id="app"></div>
<script type="application/json" id="content">${inScript(contentOf(demo))}</script>
<script type="module">${pageFiles().script}</script>
</body>
</html>
`
