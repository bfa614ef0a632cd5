/** The OpenAPI document of the routes, made from what they say of themselves. https://spec.openapis.org/oas/v3.1.1.html */
import { type Permission, SCOPE_PERMISSIONS } from '@sonde/access'
import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { type Described, mediaOf, type Operation, schemaOf, TAGS } from '../operation.ts'
import { PATH_PARAMETERS, type PathParameter } from '../path-parameters.ts'
import { PageQuery } from '../query-schemas.ts'
import { ERROR_RESPONSES, errorRef } from './errors.ts'
import { WEBHOOKS } from './webhooks.ts'

export type DocumentOptions = {
  readonly operations: readonly Described[]
  /** Where the paths begin. */
  readonly serverUrl: string
  readonly version: string
}

/** JSON of OpenAPI 3.1. */
export type OpenApiDocument = ReturnType<typeof createDocument>

export function openApiDocument({ operations, serverUrl, version }: DocumentOptions): OpenApiDocument {
  const used = new Set(operations.map(({ operation }) => operation.tag))
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Sonde',
        version,
        description: ABOUT,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: serverUrl }],
      tags: Object.entries(TAGS)
        .filter(([name]) => used.has(name as keyof typeof TAGS))
        .map(([name, description]) => ({ name, description })),
      paths: pathsOf(operations),
      webhooks: WEBHOOKS,
      components: { responses: ERROR_RESPONSES, securitySchemes: SECURITY_SCHEMES },
    },
    // A later version may answer more fields: who reads one must not refuse them.
    { override: ({ jsonSchema, io }) => void (io === 'output' && dropClosed(jsonSchema)) },
  )
}

const ABOUT = `The paths and answers of Sentry's public API, so that clients of that work here, and what only Sonde has.

Paths are the same with and without a slash at the end. Answers may get more fields with a later version.`

const SECURITY_SCHEMES = {
  token: { type: 'http', scheme: 'bearer', description: 'A token of an organization or a person.' },
  scim: { type: 'http', scheme: 'bearer', description: 'The SCIM token of an organization.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sonde.session_token',
    description: 'The session of a browser; whatever changes something must come from pages of this Sonde.',
  },
} as const

function dropClosed(jsonSchema: { additionalProperties?: unknown }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

function pathsOf(operations: readonly Described[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  const ids = new Set<string>()
  for (const { method, path, operation } of operations) {
    const id = ids.has(operation.id) ? `${operation.id}${placeOf(path)}` : operation.id
    if (ids.has(id)) throw new Error(`two operations are called ${id}`)
    ids.add(id)
    const shown = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[shown] = { ...paths[shown], [method]: operationObject(id, { method, path, operation }) }
  }
  return paths
}

/** What tells an operation from the same one under another path. */
function placeOf(path: string): string {
  if (path.startsWith('/projects/')) return 'OfProject'
  return path.startsWith('/organizations/') ? 'OfOrganization' : 'ById'
}

function operationObject(id: string, { method, path, operation }: Described): ZodOpenApiOperationObject {
  const { summary, tag, body, query, pages } = operation
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as PathParameter)
  const queryParams = { ...query?.shape, ...(pages && PageQuery.shape) }
  const permission = operation.opens ?? operation.permission
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...describe(operation, permission),
    security: securityOf(operation, permission),
    requestParams: {
      ...(names.length > 0 && { path: z.object(Object.fromEntries(names.map(pathParameter))) }),
      ...(Object.keys(queryParams).length > 0 && { query: z.object(queryParams) }),
      ...(method === 'post' && isBounded(operation) && { header: ONCE }),
    },
    ...(body && { requestBody: { content: contentOf(body), required: isNeeded(body) } }),
    responses: responsesOf(operation, names.length > 0),
  }
}

function describe({ description }: Operation, permission: Permission | undefined) {
  const needs = permission && `Needs the permission \`${permission}\`.`
  const text = [description, needs].filter((part) => part !== undefined).join('\n\n')
  return text === '' ? {} : { description: text }
}

/** Any of the scopes that give the permission; a session has the permissions of its role. */
function securityOf(
  { isPublic, isScim }: Operation,
  permission: Permission | undefined,
): Record<string, string[]>[] {
  if (isPublic) return []
  if (isScim) return [{ scim: [] }]
  const scopes = Object.entries(SCOPE_PERMISSIONS)
    .filter(([, permissions]) => permission !== undefined && permissions.includes(permission))
    .map(([scope]) => ({ token: [scope] }))
  const byToken = permission === undefined ? [{ token: [] }] : scopes
  return [...byToken, { session: [] }]
}

/** Whoever calls with a token or a session has bounds, and may send a POST once more. */
const isBounded = ({ isPublic, isScim }: Operation): boolean => !isPublic && !isScim

/** docs/decisions/0102-idempotency-keys.md */
const ONCE = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description:
        'Sent once more with the same key within a day, the request is answered as the first time and does nothing; with another body it is refused with 422, and while the first one runs with 409.',
      param: { id: 'header.Idempotency-Key' },
    }),
})

/** Each is written down once, and referred to. */
const IN_PATH = Object.fromEntries(
  Object.entries(PATH_PARAMETERS).map(([name, description]) => [
    name,
    z.string().meta({ description, param: { id: `path.${name}` } }),
  ]),
)
const pathParameter = (name: PathParameter) => [name, IN_PATH[name]]

const PAGE_HEADERS = {
  Link: {
    description: 'Addresses of the pages before and after, `results="true"` when there is something on them.',
    schema: { type: 'string' },
  },
} as const

function contentOf(body: NonNullable<Operation['body']>) {
  const other = mediaOf(body)
  if (!other) return { 'application/json': { schema: schemaOf(body) ?? {} } }
  return { [other.type]: { schema: other.schema ?? { type: 'string', description: other.description } } }
}

/** An empty object would do where no field is needed. */
const isNeeded = (body: NonNullable<Operation['body']>): boolean =>
  mediaOf(body) !== undefined || schemaOf(body)?.safeParse({}).success === false

function responsesOf(operation: Operation, isNamed: boolean): ZodOpenApiResponsesObject {
  const { answer, status, also = {}, errors = {}, pages, body, query, isPublic } = operation
  const success = (description: string, hasBody: boolean) => ({
    description,
    ...(pages && { headers: PAGE_HEADERS }),
    ...(answer && hasBody && { content: contentOf(answer) }),
  })
  const usual = String(status ?? (answer ? 200 : 204))
  return {
    [usual]: success(mediaOf(answer)?.description ?? (answer ? 'Success.' : 'Done.'), usual !== '204'),
    ...Object.fromEntries(
      Object.entries(also).map(([code, why]) => [code, success(why, code !== '202' && code !== '204')]),
    ),
    ...((body ?? query ?? pages) && { 400: errorRef(400) }),
    ...(!isPublic && { 401: errorRef(401), 403: errorRef(403) }),
    ...(isNamed && { 404: errorRef(404) }),
    ...(isBounded(operation) && { 429: errorRef(429) }),
    ...Object.fromEntries(
      Object.entries(errors).map(([code, description]) => [code, { ...ERROR_RESPONSES.Failed, description }]),
    ),
  }
}
