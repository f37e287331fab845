import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installNpmPackages } from '../support/packages/npm-packages.ts'

type TextParts = readonly { readonly text: string; readonly kind: string }[]

interface Hover {
  readonly displayParts: TextParts
  readonly documentation: TextParts
  readonly tags?: readonly { readonly name: string; readonly text: TextParts }[]
}

interface Declaration {
  readonly text: string
  readonly spans: readonly { readonly start: number }[]
  readonly nameSpan?: { readonly start: number }
  readonly childItems?: readonly Declaration[]
}

/**
 * The part of TypeScript's language service that is used here. TypeScript 7 no longer has it as a library.
 */
interface TypeScript {
  createLanguageService(host: object): {
    getCompletionsAtPosition(file: string, position: number): { entries: { name: string; kind: string }[] }
    getNavigationTree(file: string): Declaration
    getQuickInfoAtPosition(file: string, position: number): Hover
  }
  readonly ScriptSnapshot: { fromString(text: string): object }
  readonly sys: object
  getDefaultLibFilePath(options: object): string
}

const plainText = (parts: TextParts): string => parts.map(({ text }) => text).join('')
const examplesIn = ({ tags = [] }: Hover): string[] =>
  tags.flatMap(({ name, text }) => (name === 'example' ? [plainText(text)] : []))

export interface PublicName {
  readonly name: string
  /** One a line. */
  readonly declarations: string
  readonly documentation: string
  readonly examples: readonly string[]
  /** They cannot be imported. */
  readonly internal: readonly string[]
}

/** TypeScript's number of the module system NodeNext. */
const NODE_NEXT = 199

/** Each question about the file sets its text. */
class Editor {
  readonly #file: string
  readonly #service: ReturnType<TypeScript['createLanguageService']>
  #text = ''

  constructor(ts: TypeScript, project: string) {
    this.#file = join(project, 'editor.mts')
    this.#service = ts.createLanguageService({
      ...ts.sys,
      useCaseSensitiveFileNames: () => true,
      getScriptFileNames: () => [this.#file],
      getScriptVersion: (file: string) => (file === this.#file ? this.#text : ''),
      getScriptSnapshot: (file: string) =>
        ts.ScriptSnapshot.fromString(file === this.#file ? this.#text : readFileSync(file, 'utf8')),
      getCompilationSettings: () => ({
        module: NODE_NEXT,
        lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
        types: [],
      }),
      getCurrentDirectory: () => project,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (file: string) => file === this.#file || existsSync(file),
    })
  }

  namesIn(module: string): string[] {
    this.#text = `import {} from '${module}'`
    const { entries } = this.#service.getCompletionsAtPosition(this.#file, 'import {'.length)
    return entries.filter(({ kind }) => kind !== 'keyword').map(({ name }) => name)
  }

  importedName(module: string, name: string): Hover {
    this.#text = `import { ${name} } from '${module}'`
    return this.#service.getQuickInfoAtPosition(this.#file, 'import { '.length)
  }

  declaration(file: string, { nameSpan, spans }: Declaration): Hover {
    return this.#service.getQuickInfoAtPosition(file, (nameSpan ?? spans[0]!).start)
  }

  declarationsIn(file: string): readonly Declaration[] {
    return this.#service.getNavigationTree(file).childItems ?? []
  }
}

/** From each module of the package that is installed in a project. */
export const publicNames = async (
  project: string,
  modules: readonly string[],
): Promise<Map<string, PublicName[]>> => {
  const ts: TypeScript = createRequire(join(await installNpmPackages(), 'tsc'))('typescript')
  const editor = new Editor(ts, project)
  const exported = new Map(modules.map((module) => [module, editor.namesIn(module)]))
  const exportedNames = new Set([...exported.values()].flat())
  const files = globSync(join(project, 'node_modules/billing-data-api/esm/**/*.d.ts'))
  const declarations = files.flatMap((file) =>
    editor.declarationsIn(file).map((declaration) => ({ file, declaration })),
  )
  const declaredNames = declarations.map(({ declaration }) => declaration.text)
  const internalNames = new Set(declaredNames).difference(exportedNames)
  const publicName = (module: string, name: string): PublicName => {
    const hover = editor.importedName(module, name)
    const members = declarations
      .filter(({ declaration }) => declaration.text === name)
      .flatMap(({ file, declaration }) =>
        (declaration.childItems ?? []).map((member) => editor.declaration(file, member)),
      )
    const hovers = [hover, ...members]
    const parts = hovers.flatMap(({ displayParts }) => displayParts)
    return {
      name,
      declarations: hovers.map(({ displayParts }) => plainText(displayParts)).join('\n'),
      documentation: plainText(hover.documentation),
      examples: hovers.flatMap(examplesIn),
      internal: parts
        .filter(
          ({ kind, text }) => /^(alias|class|interface|module)Name$/.test(kind) && internalNames.has(text),
        )
        .map(({ text }) => text),
    }
  }
  return new Map(
    [...exported].map(([module, names]) => [module, names.map((name) => publicName(module, name))]),
  )
}
