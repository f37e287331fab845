/** A generator of clients: the language of its clients, and its command, which runs in the folder of its program. */
export interface Generator {
  /** The folder of its program below `test/generators`. */
  readonly name: string
  readonly language: 'typescript' | 'python' | 'go'
  readonly command: string
}

/** The generators that `npm run check:generators` tries. Each reads the document and writes the folder `client`. */
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

/** Returns the lines of a generator's output that are warnings. */
export const warningsIn = (output: string): string[] =>
  output.split('\n').filter((line) => /\bwarn|⚠|\berror\b/i.test(line))

/** How each language declares names that other files can use. */
const declarations: Readonly<Record<Generator['language'], RegExp>> = {
  typescript: /^export (?:declare )?(?:type|interface|class|enum|const|function) (\w+)/gm,
  python: /^(?:class|def) (\w+)/gm,
  go: /^(?:type|func(?: \([^)]*\))?) ([A-Z]\w*)/gm,
}

// Names of a status or of the width of a number end in digits that are not a counter.
const endsInStatusOrWidth = /(?:[2-5]\d\d|(?:Int|Float)(?:32|64))$/

/** Returns the declared names of a generated file that end in a counter, because the document gives two schemas the same name. */
export const numberedNames = (language: Generator['language'], text: string): string[] =>
  [...text.matchAll(declarations[language])]
    .map(([, name]) => name as string)
    .filter((name) => /\d$/.test(name) && !endsInStatusOrWidth.test(name))
