import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installNpmPackages } from '../support/packages/npm-packages.ts'

type Text = readonly { readonly text: string; readonly kind: string }[]

/** The text that an editor shows for a name. */
interface Hover {
  readonly displayParts: Text
  readonly documentation: Text
  readonly tags?: readonly { readonly name: string; readonly text: Text }[]
}

/** A declaration in a file, and its members. */
interface Declaration {
  readonly text: string
  readonly spans: readonly { readonly start: number }[]
  readonly nameSpan?: { readonly start: number }
  readonly childItems?: readonly Declaration[]
}

/** What is used of TypeScript's service for editors, which is no library in TypeScript 7. */
interface TypeScript {
  createLanguageService(host: object): {
    getCompletionsAtPosition(file: string, at: number): { entries: { name: string; kind: string }[] }
    getNavigationTree(file: string): Declaration
    getQuickInfoAtPosition(file: string, at: number): Hover
  }
  readonly ScriptSnapshot: { fromString(text: string): object }
  readonly sys: object
  getDefaultLibFilePath(options: object): string
}

const plain = (text: Text): string => text.map((part) => part.text).join('')
const examplesIn = ({ tags = [] }: Hover): string[] =>
  tags.flatMap(({ name, text }) => (name === 'example' ? [plain(text)] : []))

/** An exported name of a module, as an editor shows it. */
export interface PublicName {
  readonly name: string
  /** Its declaration, followed by those of its members. */
  readonly shown: string
  readonly documentation: string
  readonly examples: readonly string[]
  /** The names in `shown` that cannot be imported. */
  readonly internal: readonly string[]
}

/** Returns the names that a project can import from some modules of the package that is installed there. */
export const publicNames = async (
  project: string,
  modules: readonly string[],
): Promise<Map<string, PublicName[]>> => {
  const ts: TypeScript = createRequire(join(await installNpmPackages(), 'tsc'))('typescript')
  const editor = join(project, 'editor.mts')
  let text = ''
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => true,
    getScriptFileNames: () => [editor],
    getScriptVersion: (file: string) => (file === editor ? text : ''),
    getScriptSnapshot: (file: string) =>
      ts.ScriptSnapshot.fromString(file === editor ? text : readFileSync(file, 'utf8')),
    getCompilationSettings: () => ({ module: 199, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], types: [] }),
    getCurrentDirectory: () => project,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file: string) => file === editor || existsSync(file),
  })
  const exported = new Map(
    modules.map((module) => {
      text = `import {} from '${module}'`
      const { entries } = service.getCompletionsAtPosition(editor, 8)
      return [module, entries.filter(({ kind }) => kind !== 'keyword').map(({ name }) => name)]
    }),
  )
  const known = [...exported.values()].flat()
  const files = globSync(join(project, 'node_modules/billing-data-api/esm/*/*.d.ts'))
  const declarations = files.flatMap((file) =>
    (service.getNavigationTree(file).childItems ?? []).map((item) => ({ ...item, file })),
  )
  const internal = declarations.map((item) => item.text).filter((name) => !known.includes(name))
  const hoversOf = (module: string, name: string): Hover[] => {
    text = `import { ${name} } from '${module}'`
    const members = declarations.flatMap(({ text, file, childItems = [] }) =>
      text === name
        ? childItems.map(({ nameSpan, spans }) => [file, (nameSpan ?? spans[0]!).start] as const)
        : [],
    )
    return [[editor, 9] as const, ...members].map(([file, at]) => service.getQuickInfoAtPosition(file, at))
  }
  const publicName = (module: string, name: string): PublicName => {
    const hovers = hoversOf(module, name)
    const parts = hovers.flatMap(({ displayParts }) => displayParts)
    return {
      name,
      shown: hovers.map(({ displayParts }) => plain(displayParts)).join('\n'),
      documentation: plain(hovers[0]!.documentation),
      examples: hovers.flatMap(examplesIn),
      internal: parts.flatMap(({ text, kind }) =>
        /^(alias|class|interface|module)Name$/.test(kind) && internal.includes(text) ? [text] : [],
      ),
    }
  }
  return new Map(
    [...exported].map(([module, names]) => [module, names.map((name) => publicName(module, name))]),
  )
}
