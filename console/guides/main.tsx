import { render } from 'preact'
import { Bar } from './bar.tsx'
import { jumpOnClicks } from './jump.ts'
import { guideSections, operationSections } from './sections.ts'
import './bar.css'

/** Shows the documentation page: a bar with the search, and the reference that Scalar renders below it. */

interface Content {
  readonly guides: string
  readonly settings: object
  readonly samples: Readonly<Record<string, string>>
  /** The address of a local service, which guides and samples contain. */
  readonly localAddress: string
}

type Operation = { operationId?: string; 'x-codeSamples'?: object[] } & Record<string, unknown>

interface OpenApiDocument {
  readonly info: { readonly title: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

declare const Scalar: { createApiReference(selector: string, configuration: object): void }

/** The path of the server, under which it serves the page and the API. */
const serverPath = location.pathname.replace(/\/+docs\/*$/, '')

const loadScript = (src: string): Promise<unknown> =>
  new Promise((resolve, reject) =>
    document.head.append(
      Object.assign(document.createElement('script'), { src, onload: resolve, onerror: reject }),
    ),
  )

const content = JSON.parse(document.getElementById('content')!.textContent!) as Content

/** Returns a text with the address of this server in place of the local address. */
const withServerAddress = (text: string): string =>
  text.replaceAll(content.localAddress, location.origin + serverPath)

const addSamples = ({ paths }: OpenApiDocument): void => {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  for (const operation of operations)
    if (operation.operationId) {
      const source = withServerAddress(content.samples[operation.operationId]!)
      operation['x-codeSamples'] = [{ lang: 'typescript', label: 'TypeScript', source }]
    }
}

const start = async (): Promise<void> => {
  const [response] = await Promise.all([
    fetch(`${serverPath}/openapi.json`),
    loadScript(`${serverPath}/docs/scalar.js`),
  ])
  const api = (await response.json()) as OpenApiDocument
  addSamples(api)
  const guides = withServerAddress(content.guides)
  const hasConsole = response.headers.get('served-pages')?.includes('console')
  render(
    <Bar
      title={api.info.title}
      sections={[...guideSections(guides), ...operationSections(api.paths)]}
      consoleAddress={hasConsole ? `${serverPath}/console` : undefined}
    />,
    document.getElementById('bar')!,
  )
  jumpOnClicks()
  Scalar.createApiReference('#app', {
    ...content.settings,
    content: { ...api, info: { ...api.info, description: guides } },
  })
}

start().catch(() => {
  document.body.textContent = 'The documentation could not be loaded. Reload the page.'
})
