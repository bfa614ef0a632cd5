/**
 * Holds answers of `/api/0` to its OpenAPI document, more strictly than clients should: a field that is not described is
 * wrong here.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Json = { readonly [key: string]: unknown }
type Response = {
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>
  readonly headers?: Json
}
type Operation = { readonly operationId: string; readonly responses: Readonly<Record<string, Response>> }
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Json
}

export type DescribedAnswer = {
  readonly status: number
  readonly headers: Pick<Headers, 'get'>
  readonly text: string
}

const API_PATH = '/api/0'
const JSON_TYPE = /^application\/(?:json|scim\+json)\b/

export function answerChecks(given: Document) {
  const document = structuredClone(given)
  close(document)
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)))
  ajv.addFormat('uri', (text: string) => URL.canParse(text))
  const compiled = new Map<string, ValidateFunction>()
  const routes = Object.entries(document.paths)
    // What is named beats what is a parameter.
    .toSorted(([a], [b]) => a.split('{').length - b.split('{').length)
    .map(([path, methods]) => ({
      pattern: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      methods,
    }))

  /** Of a path with or without `/api/0`; undefined: there is none. */
  const operationOf = (method: string, pathname: string): Operation | undefined => {
    const path = pathname.replace(API_PATH, '').replace(/\/$/, '') || '/'
    return routes.find(({ pattern, methods }) => pattern.test(path) && methods[method.toLowerCase()])
      ?.methods[method.toLowerCase()]
  }

  const validatorOf = (id: string, schema: Json): ValidateFunction => {
    const known = compiled.get(id)
    if (known) return known
    const made = ajv.compile({ ...schema, components: document.components })
    compiled.set(id, made)
    return made
  }

  return {
    operationIds: routes.flatMap(({ methods }) =>
      Object.values(methods).map(({ operationId }) => operationId),
    ),
    operationOf,
    /** What is wrong with it, in a sentence; undefined: nothing, or it refuses. */
    problemOf(
      { operationId, responses }: Operation,
      { status, headers, text }: DescribedAnswer,
    ): string | undefined {
      if (status >= 400 || status === 304 || status === 206) return undefined
      const response = responses[String(status)]
      if (!response) return `${operationId} answered ${status}, which is not described`
      if (response.headers?.['Link'] && !headers.get('link')) return `${operationId} answered without Link`
      const [type, content] = Object.entries(response.content ?? {})[0] ?? []
      if (!type || !content) return text === '' ? undefined : `${operationId} answered a body`
      if (status >= 300) return undefined
      const isJson = [type, headers.get('content-type') ?? ''].every((each) => JSON_TYPE.test(each))
      if (!content.schema || !isJson) return undefined
      const validate = validatorOf(`${operationId} ${status}`, content.schema)
      if (validate(JSON.parse(text))) return undefined
      const [error] = validate.errors ?? []
      return `${operationId} ${status}: ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`
    },
  }
}

/** What is not said to be open is closed. */
function close(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  if ('properties' in node && !('additionalProperties' in node))
    Object.assign(node, { additionalProperties: false })
  for (const value of Object.values(node)) close(value)
}
