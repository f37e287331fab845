/** A generator of clients, how it is called, and the language of what it makes. */
export interface Generator {
  /** The folder of its program, below this one. */
  readonly name: string
  readonly language: 'typescript' | 'python' | 'go'
  /** What npm installs of it, else Python's installer does, else Go. */
  readonly command: readonly string[]
}

/** The document that all of them read, and the folder that they write to, from the folder of the program. */
const DOCUMENT = '../openapi.json'
const CLIENT = 'client'

const openapiGenerator = (
  language: Generator['language'],
  name: string,
  { folder = CLIENT, options = '' }: { readonly folder?: string; readonly options?: string } = {},
): Generator => ({
  name: `openapi-generator-${language}`,
  language,
  command: [
    ...['openapi-generator-cli', 'generate', '-i', DOCUMENT, '-o', folder, '-g', name],
    ...(options ? ['--additional-properties', options] : []),
    ...['--global-property', 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false'],
  ],
})

/** Every generator that `npm run check:generators` tries. */
export const generators: readonly Generator[] = [
  {
    name: 'openapi-fetch',
    language: 'typescript',
    command: ['openapi-typescript', DOCUMENT, '-o', `${CLIENT}/schema.ts`],
  },
  {
    name: 'hey-api',
    language: 'typescript',
    command: ['openapi-ts', '-i', DOCUMENT, '-o', CLIENT, '-c', '@hey-api/client-fetch'],
  },
  openapiGenerator('typescript', 'typescript-fetch'),
  {
    name: 'openapi-python-client',
    language: 'python',
    command: [
      ...['openapi-python-client', 'generate', '--path', DOCUMENT],
      ...['--output-path', CLIENT, '--meta', 'none', '--overwrite'],
    ],
  },
  openapiGenerator('python', 'python', { folder: '.', options: 'packageName=client' }),
  {
    name: 'oapi-codegen',
    language: 'go',
    command: [
      ...['go', 'tool', 'oapi-codegen', '-generate', 'types,client', '-package', 'billing'],
      ...['-o', `${CLIENT}/billing.go`, DOCUMENT],
    ],
  },
  openapiGenerator('go', 'go', { options: 'packageName=billing,withGoMod=false' }),
]

/** What openapi-generator says of itself for any document of OpenAPI 3.1, and for any with a named union or map. */
const tolerated = [/OpenAPI 3\.1 support is still in beta/, /Failed to get the schema name: null$/]

/** The warnings in what a generator has printed. */
export const warningsIn = (printed: string): string[] =>
  printed
    .split('\n')
    .filter((line) => /\bwarn|⚠|\berror\b/i.test(line) && !/ INFO /.test(line))
    .filter((line) => !tolerated.some((pattern) => pattern.test(line)))

/** How the languages declare what other files can use. */
const declarations: Readonly<Record<Generator['language'], RegExp>> = {
  typescript: /^export (?:declare )?(?:type|interface|class|enum|const|function) (\w+)/gm,
  python: /^(?:class|def) (\w+)/gm,
  go: /^(?:type|func(?: \([^)]*\))?) ([A-Z]\w*)/gm,
}

// A status or a width of numbers is no name that a generator has counted up.
const given = /(?:[2-5]\d\d|(?:Int|Float)(?:32|64))$/

/** The names declared in a generated file that end in a digit which our document did not give. */
export const countedNames = (language: Generator['language'], text: string): string[] =>
  [...text.matchAll(declarations[language])]
    .map(([, name]) => name as string)
    .filter((name) => /\d$/.test(name) && !given.test(name))
