import { catalogue } from '../catalogue.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { operationId } from './components.ts'
import { exampleId, requestExamples } from './examples.ts'
import { pascal } from './names.ts'

/** A code sample of an operation, as the extension `x-codeSamples` has it. */
export interface CodeSample {
  readonly lang: string
  readonly label: string
  readonly source: string
}

/** The placeholder for the address of the API in a sample. */
export const ADDRESS = '{base_url}'

type Body = Readonly<Record<string, unknown>>

const snake = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The first example of a request's body. */
const bodyOf = (endpoint: Endpoint): Body | undefined =>
  Object.values(requestExamples(endpoint))[0]?.value as Body | undefined

/** The includes that a sample requests. */
const namesOf = ({ operation, include }: Endpoint): string[] =>
  operation === 'retrieve' ? Object.keys(include).slice(0, 2) : []

const typescriptLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"(\w+)":/gm, '$1$2:')
    .replaceAll(/"([^"'\\]*)"/g, "'$1'")

const typescriptCall: Readonly<Record<Endpoint['operation'], (endpoint: Endpoint) => string>> = {
  list: () => 'list({ limit: 10 })',
  create: (endpoint) => `create(${typescriptLiteral(bodyOf(endpoint))})`,
  retrieve: (endpoint) => {
    const names = namesOf(endpoint).map((name) => `'${name}'`)
    return `retrieve(${typescriptLiteral(exampleId(endpoint.resource))}, { include: [${names.join(', ')}] })`
  },
  update: (endpoint) => {
    const { id, ...changes } = bodyOf(endpoint) ?? {}
    return `update(${typescriptLiteral(id)}, ${typescriptLiteral(changes)})`
  },
}

const typescript = (endpoint: Endpoint): string => {
  const { operation, resource } = endpoint
  const result = operation === 'list' ? 'page' : resource.name
  return `import { createClient } from 'billing-data-api/client'

const billing = createClient({
  baseUrl: '${ADDRESS}',
  appId: process.env.BILLING_APP_ID!,
  apiKey: process.env.BILLING_API_KEY!,
})

const ${result} = await billing.${resource.plural}.${typescriptCall[operation](endpoint)}
console.log(${result})
`
}

const pythonLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 4).replaceAll(
    /(: |^ *)(true|false|null)(?=,?$)/gm,
    (_, before: string, word: string) => before + (word === 'null' ? 'None' : pascal(word)),
  )

const python = (endpoint: Endpoint): string => {
  const { resource } = endpoint
  const id = operationId(endpoint)
  const body = bodyOf(endpoint)
  const names = namesOf(endpoint)
  const model = body ? `${pascal(id)}Request` : names.length > 0 ? `${pascal(id)}IncludeItem` : undefined
  const given = [
    ...(endpoint.path.includes('{id}') ? [JSON.stringify(String(exampleId(resource)))] : []),
    'client=billing',
    ...(body ? ['body=body'] : names.length > 0 ? ['include=include'] : ['limit=10']),
  ]
  return `from os import environ

from client import AuthenticatedClient
from client.api.${resource.plural} import ${snake(id)}
${model ? `from client.models import ${model}\n` : ''}
billing = AuthenticatedClient(
    base_url="${ADDRESS}",
    token=environ["BILLING_API_KEY"],
    headers={"x-app-id": environ["BILLING_APP_ID"]},
)
${body ? `body = ${model}.from_dict(${pythonLiteral(body)})\n` : ''}${
  names.length > 0 ? `include = [${names.map((name) => `${model}("${name}")`).join(', ')}]\n` : ''
}print(${snake(id)}.sync(${given.join(', ')}))
`
}

/**
 * The lines of a Go sample before the call, and the argument of the call. A body is sent as text, since the generated
 * types omit null values.
 */
const goArgument = (endpoint: Endpoint): readonly [lines: string, argument: string] => {
  const id = pascal(operationId(endpoint))
  const body = bodyOf(endpoint)
  if (body)
    return [
      `	body := strings.NewReader(\`${JSON.stringify(body, null, 2).replaceAll('\n', '\n\t')}\`)\n`,
      'nil, "application/json", body',
    ]
  if (endpoint.operation === 'list') return ['	limit := 10\n', `&billing.${id}Params{Limit: &limit}`]
  const names = namesOf(endpoint).map((name) => `"${name}"`)
  return [
    `	include := []billing.${id}ParamsInclude{${names.join(', ')}}\n`,
    `&billing.${id}Params{Include: &include}`,
  ]
}

const go = (endpoint: Endpoint): string => {
  const [lines, argument] = goArgument(endpoint)
  const path = endpoint.path.includes('{id}') ? `"${exampleId(endpoint.resource)}", ` : ''
  return `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
${endpoint.body ? '\t"strings"\n' : ''}
	billing "example.com/billing/client"
)

func main() {
	credentials := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("BILLING_API_KEY"))
		request.Header.Set("x-app-id", os.Getenv("BILLING_APP_ID"))
		return nil
	}
	api, err := billing.NewClientWithResponses("${ADDRESS}", billing.WithRequestEditorFn(credentials))
	if err != nil {
		panic(err)
	}
${lines}	answer, err := api.${pascal(operationId(endpoint))}${endpoint.body ? 'WithBody' : ''}WithResponse(context.Background(), ${path}${argument})
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.Status(), string(answer.Body))
}
`
}

/** The code samples of every operation, by its id: for the typed client and for generated ones. */
export const codeSamples = (): Readonly<Record<string, readonly CodeSample[]>> =>
  Object.fromEntries(
    catalogue.map((endpoint) => [
      operationId(endpoint),
      [
        { lang: 'typescript', label: 'TypeScript', source: typescript(endpoint) },
        { lang: 'python', label: 'Python (openapi-python-client)', source: python(endpoint) },
        { lang: 'go', label: 'Go (oapi-codegen)', source: go(endpoint) },
      ],
    ]),
  )
