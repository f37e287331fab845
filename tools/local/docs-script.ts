interface Route {
  readonly url: string
  readonly handler: (request: unknown, reply: Reply) => unknown
}
interface Reply {
  header(name: string, value: string): Reply
  send(body: string): unknown
}
type Plugin = (host: object, options: object, done: () => void) => void

const FOLDER = '/docs'

const bodyOf = ({ handler }: Route): string => {
  let sent = ''
  const reply: Reply = {
    header: () => reply,
    send: (body) => {
      sent = body
      return reply
    },
  }
  handler({}, reply)
  return sent
}

/**
 * The script of the renderer, as its package serves it: a plugin that asks its host for routes, of which one is the
 * script. So the page needs no network, and not the hundreds of packages that the script is made of.
 */
export const rendererScript = async (): Promise<string> => {
  const name = '@scalar/fastify-api-reference'
  const { default: plugin } = (await import(name)) as { default: Plugin }
  const routes: Route[] = []
  const host = { hasPlugin: () => false, initialConfig: {}, route: (route: Route) => routes.push(route) }
  plugin(host, { routePrefix: FOLDER, configuration: { url: '-' } }, () => undefined)
  const script = routes.find(({ url }) => url.endsWith('.js'))
  if (!script) throw new Error(`${name} serves no script`)
  return bodyOf(script)
}
