interface Reply {
  header(): Reply
  send(body: string): void
}
interface Route {
  readonly url: string
  readonly handler: (request: object, reply: Reply) => void
}
type Plugin = (
  fastify: { route: (route: Route) => void },
  options: { configuration: { url: string } },
  done: () => void,
) => void

/**
 * The script that renders the documentation page. The package exports it only as a route of a fastify plugin, so this
 * collects that route's body: fastify itself would be fifty packages for one string.
 */
export const scalarScript = async (): Promise<string> => {
  const name = '@scalar/fastify-api-reference'
  const { default: register } = (await import(name)) as { default: Plugin }
  let script = ''
  const reply: Reply = {
    header: () => reply,
    send: (body) => {
      script = body
    },
  }
  const route = ({ url, handler }: Route): void => {
    if (url.endsWith('.js')) handler({}, reply)
  }
  register({ route }, { configuration: { url: '-' } }, () => undefined)
  if (!script) throw new Error(`${name} registers no route for its script`)
  return script
}
