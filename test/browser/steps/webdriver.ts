import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import getPort from 'get-port'
import { isListening } from '../../../tools/local/loopback.ts'

/** A browser with one page, driven by WebDriver, in dark mode. */
export interface DrivenBrowser {
  /** The folder of its settings, in which it also saves files. */
  readonly folder: string
  readonly goTo: (url: string) => Promise<unknown>
  /** Evaluates an expression in the page, and awaits it if it is a promise. Returns its value as JSON. */
  readonly evaluate: (expression: string) => Promise<string>
  /** Performs actions of the keyboard, or of the pointer. */
  readonly perform: (type: 'key' | 'pointer', actions: readonly object[]) => Promise<unknown>
  readonly resize: (width: number, height: number) => Promise<unknown>
  readonly close: () => Promise<unknown>
}

/** Starts a program with `home` as its home directory, and waits until it listens. Returns a function that kills its process group. */
const startProgram = async (home: string, port: number, command: string, args: readonly string[]) => {
  const settings = { HOME: home, XDG_CONFIG_HOME: home, GTK_THEME: 'Adwaita:dark', LANG: 'C.UTF-8' }
  const env = { ...process.env, ...settings }
  const program = spawn(command, args, { env, detached: true, stdio: 'ignore' })
  const exit = once(program, 'exit')
  while (!(await isListening(port))) await pause(50)
  return () => {
    process.kill(-program.pid!)
    return exit
  }
}

/** Returns an expression for the value of another one as JSON. */
const asJson = (expression: string): string => `Promise.resolve(${expression}).then(JSON.stringify)`

/** Opens WebKit through its WebDriver server. WebKit needs a display, so it runs under Xvfb. */
export const openWebKit = async (folder: string): Promise<DrivenBrowser> => {
  const port = await getPort()
  writeFileSync(join(folder, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${folder}"\n`)
  const display = ['-a', '-s', '-screen 0 1600x1000x24']
  const close = await startProgram(folder, port, 'xvfb-run', [...display, 'WebKitWebDriver', '-p', `${port}`])
  let session = `http://127.0.0.1:${port}/session`
  const send = async (path: string, body: object) => {
    const response = await fetch(session + path, { method: 'POST', body: JSON.stringify(body) })
    const { value } = (await response.json()) as { value: { sessionId: string } }
    if (!response.ok) throw new Error(JSON.stringify(value))
    return value
  }
  const { sessionId } = await send('', { capabilities: {} })
  session += `/${sessionId}`
  return {
    folder,
    goTo: (url) => send('/url', { url }),
    evaluate: async (expression) =>
      `${await send('/execute/sync', { script: `return ${asJson(expression)}`, args: [] })}`,
    perform: (type, actions) => send('/actions', { actions: [{ type, id: type, actions }] }),
    resize: (width, height) => send('/window/rect', { width, height }),
    close,
  }
}

/** Opens Firefox, which has WebDriver BiDi built in. */
export const openFirefox = async (folder: string): Promise<DrivenBrowser> => {
  const port = await getPort()
  const preferences = {
    'browser.download.folderList': 2,
    'browser.download.dir': folder,
    'layout.css.prefers-color-scheme.content-override': 0,
  }
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  )
  writeFileSync(join(folder, 'user.js'), lines.join('\n'))
  const options = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', `${port}`]
  const close = await startProgram(folder, port, 'firefox-esr', options)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/session`)
  await once(socket, 'open')
  // Commands are sent one at a time, so the next message is the response.
  const send = async (method: string, params: object) => {
    socket.send(JSON.stringify({ id: 1, method, params }))
    const [{ data }] = await once(socket, 'message')
    const { type, result } = JSON.parse(data)
    if (type === 'error') throw new Error(data)
    return result
  }
  await send('session.new', { capabilities: {} })
  const { context } = await send('browsingContext.create', { type: 'tab' })
  const target = { target: { context }, awaitPromise: true }
  return {
    folder,
    goTo: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    evaluate: async (expression) =>
      (await send('script.evaluate', { ...target, expression: asJson(expression) })).result.value,
    perform: (type, actions) =>
      send('input.performActions', { context, actions: [{ type, id: type, actions }] }),
    resize: (width, height) => send('browsingContext.setViewport', { context, viewport: { width, height } }),
    close,
  }
}
