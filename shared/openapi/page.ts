import { DOCS_SCRIPT_PATH, document } from '../contract/deployable.ts'
import { guides } from './guides.ts'

/** The credentials of an application, which the page fills in. */
interface Credentials {
  readonly app_id: string
  readonly api_key: string
}

// Guides are wide: their tables need the whole column.
const customCss = `.introduction-section .section-columns { flex-direction: column-reverse; align-items: stretch }
.introduction-section .section-column { width: 100%; max-width: 100% }
.introduction-section .markdown table { display: block; width: fit-content; max-width: 100%; overflow-x: auto }
.introduction-section .markdown :is(th, td) { word-break: normal; overflow-wrap: break-word; min-width: 6em }`

const settings = (demo: Credentials | undefined) => ({
  theme: 'default',
  layout: 'modern',
  customCss,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // The download would contain the guides.
  documentDownloadType: 'none',
  modelsSectionLabel: 'Schemas',
  orderSchemaPropertiesBy: 'preserve',
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: {
    preferredSecurityScheme: [['apiKey', 'appId']],
    ...(demo ? { securitySchemes: { apiKey: { token: demo.api_key }, appId: { value: demo.app_id } } } : {}),
  },
})

// An unescaped "<" could close the script element.
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/**
 * Returns the documentation page: the guides, and the OpenAPI document of its server. `demo` is filled in for requests
 * sent from the page. Addresses are relative to the page's own, which begins with a stage once deployed.
 */
export const docsPage = (demo?: Credentials): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Subscription Billing Data API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="app"></div>
<script>
const root = location.pathname.replace(/\\/+docs\\/*$/, '')
const load = (src) => new Promise((onload, onerror) =>
  document.head.append(Object.assign(document.createElement('script'), { src, onload, onerror })))
const show = ([{ info, ...api }]) => {
  Scalar.createApiReference('#app', {
    ...${inScript(settings(demo))},
    content: { ...api, info: { ...info, description: ${inScript(guides())} } },
  })
}
Promise.all([fetch(root + '${document.path}').then((answer) => answer.json()), load(root + '${DOCS_SCRIPT_PATH}')])
  .then(show)
  .catch(() => { document.body.textContent = 'The documentation could not be loaded. Reload the page.' })
</script>
</body>
</html>
`
