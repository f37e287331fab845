/** Its command runs in the folder of its program. */
export interface Generator {
  readonly name: string
  readonly language: 'typescript' | 'python' | 'go'
  readonly command: string
}

export const generators: readonly Generator[] = [
  {
    name: 'openapi-fetch',
    language: 'typescript',
    command: 'openapi-typescript openapi.json -o client/schema.ts',
  },
  {
    name: 'openapi-python-client',
    language: 'python',
    command: 'openapi-python-client generate --path openapi.json --output-path client --meta none',
  },
  {
    name: 'oapi-codegen',
    language: 'go',
    command: 'go tool oapi-codegen -generate types,client -package billing -o client/billing.go openapi.json',
  },
]

export const warningsIn = (output: string): string[] =>
  output.split('\n').filter((line) => /\bwarn|⚠|\berror\b/i.test(line))

const declarations: Readonly<Record<Generator['language'], RegExp>> = {
  typescript: /^export (?:declare )?(?:type|interface|class|enum|const|function) (\w+)/gm,
  python: /^(?:class|def) (\w+)/gm,
  go: /^(?:type|func(?: \([^)]*\))?) ([A-Z]\w*)/gm,
}

// Names of a status or of the width of a number end in digits that are not a counter.
const endsInStatusOrWidth = /(?:[2-5]\d\d|(?:Int|Float)(?:32|64))$/

/** A counter means that the document gives two schemas the same name. */
export const numberedNames = (language: Generator['language'], text: string): string[] =>
  [...text.matchAll(declarations[language])]
    .map(([, name]) => name as string)
    .filter((name) => /\d$/.test(name) && !endsInStatusOrWidth.test(name))
