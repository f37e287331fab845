/** A generator of clients, how it is called, and the language of what it makes. */
export interface Generator {
  /** The folder of its program, below this one. */
  readonly name: string
  readonly language: 'typescript' | 'python' | 'go'
  /** What npm installs of it, else Python's installer does, else Go. */
  readonly command: readonly string[]
}

type Language = Generator['language']
const generator = (language: Language, name: string, command: string): Generator => ({
  language,
  name,
  command: command.split(' '),
})

// Every generator reads this document and writes to the folder `client`, from the folder of its program.
const DOCUMENT = '../openapi.json'
const noExtras = 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false'
const openapiGenerator = (language: Language, options: string): Generator => {
  const command = `openapi-generator-cli generate -i ${DOCUMENT} ${options} --global-property ${noExtras}`
  return generator(language, `openapi-generator-${language}`, command)
}
const pythonClient = `openapi-python-client generate --path ${DOCUMENT} --output-path client --meta none`
const goCode = 'go tool oapi-codegen -generate types,client -package billing -o client/billing.go'

/** Every generator that `npm run check:generators` tries. */
export const generators: readonly Generator[] = [
  generator('typescript', 'openapi-fetch', `openapi-typescript ${DOCUMENT} -o client/schema.ts`),
  generator('typescript', 'hey-api', `openapi-ts -i ${DOCUMENT} -o client -c @hey-api/client-fetch`),
  openapiGenerator('typescript', '-o client -g typescript-fetch'),
  generator('python', 'openapi-python-client', `${pythonClient} --overwrite`),
  openapiGenerator('python', '-o . -g python --additional-properties packageName=client'),
  generator('go', 'oapi-codegen', `${goCode} ${DOCUMENT}`),
  openapiGenerator('go', '-o client -g go --additional-properties packageName=billing,withGoMod=false'),
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
const declarations: Readonly<Record<Language, RegExp>> = {
  typescript: /^export (?:declare )?(?:type|interface|class|enum|const|function) (\w+)/gm,
  python: /^(?:class|def) (\w+)/gm,
  go: /^(?:type|func(?: \([^)]*\))?) ([A-Z]\w*)/gm,
}

// A status or a width of numbers is no name that a generator has counted up.
const given = /(?:[2-5]\d\d|(?:Int|Float)(?:32|64))$/

/** The names declared in a generated file that end in a digit which our document did not give. */
export const countedNames = (language: Language, text: string): string[] =>
  [...text.matchAll(declarations[language])]
    .map(([, name]) => name as string)
    .filter((name) => /\d$/.test(name) && !given.test(name))
