/** The reference of the API: what all operations share, and a table of them from the OpenAPI document. */
import { SCOPE_PERMISSIONS } from '@sonde/access'
import { API_BODY_BYTES, createApi } from '@sonde/api'

type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
}
type Document = {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export async function apiPage(): Promise<string> {
  const { tags, paths } = await documentOf()
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )
  return [
    '# API',
    '',
    'Made by `npm run gen` from the OpenAPI document of the code.',
    '',
    ...SHARED,
    '## Scopes',
    '',
    'What a token may is the union of its scopes; a person may what the role gives.',
    '',
    '| scope | permissions |',
    '| --- | --- |',
    ...Object.entries(SCOPE_PERMISSIONS).map(
      ([scope, permissions]) => `| \`${scope}\` | ${permissions.map((each) => `\`${each}\``).join(', ')} |`,
    ),
    '',
    '## Operations',
    '',
    `${operations.length} operations, below \`/api/0\`. Scopes: any of these is enough.`,
    '',
    ...tags.flatMap(({ name, description }) => [
      `### ${name}`,
      '',
      description,
      '',
      '| operation | what it does | scopes |',
      '| --- | --- | --- |',
      ...operations
        .filter((operation) => operation.tags.includes(name))
        .map(
          ({ method, path, summary, security }) =>
            `| \`${method.toUpperCase()} ${path}\` | ${summary} | ${scopesOf(security)} |`,
        ),
      '',
    ]),
  ].join('\n')
}

/** Registering looks at none of the parts; there is a live feed in a running Sonde. */
async function documentOf(): Promise<Document> {
  const options = { live: {}, publicUrl: 'https://sonde.example' }
  const api = createApi(options as unknown as Parameters<typeof createApi>[0])
  return (await (await api.request('/api/0/openapi.json')).json()) as Document
}

function scopesOf(security: Operation['security'] = []): string {
  if (security.length === 0) return 'none: public'
  if (security.some((each) => 'scim' in each)) return 'the SCIM token'
  const scopes = security.flatMap(({ token }) => token ?? [])
  if (scopes.length > 0) return scopes.map((scope) => `\`${scope}\``).join(', ')
  return security.some((each) => 'token' in each) ? 'any token' : 'a session only'
}

const SHARED = [
  'Sonde answers the paths of [Sentry’s public API](https://docs.sentry.io/api/), and has more of its own. Every Sonde has the whole',
  'description: `/api/0/openapi.json` is OpenAPI 3.1, for generators of clients, and `/api/0/docs` shows it as a page from which requests',
  'can be tried. Both are public: they say nothing about who uses this Sonde.',
  '',
  '## Authentication',
  '',
  '`Authorization: Bearer TOKEN`, with a token of an organization (its settings, *Tokens*) or of a person (*Account*, *Tokens*). Pages of',
  'Sonde itself use the session’s cookie; a change that only a cookie authorises must come from the same origin. What is hidden from a',
  'token is answered like what does not exist.',
  '',
  '## Paths and bodies',
  '',
  'Paths are the same with and without a slash at the end. Organizations, projects and teams are named by slug or id. Bodies are JSON',
  `objects of at most ${API_BODY_BYTES.json.toLocaleString('en')} bytes, unless an operation takes more. Fields that are not described are ignored; null where a field`,
  'takes none counts as not sent; another type than described is refused. Answers may get more fields with a later version.',
  '',
  '## Errors',
  '',
  '400 has what is wrong with each field, `{"name": ["is needed"]}`, or `{"detail": "…"}`. All others have `{"detail": "…"}`: 401 without',
  'a valid token, 403 without the permission, 404 for what is missing or hidden, 409 for what contradicts what is there, 410 for what is',
  'gone, 429 and 503 with `Retry-After`. 500 has an `errorId`, which stands in Sonde’s log.',
  '',
  '## Pages',
  '',
  'Lists have a header `Link` with `rel="previous"` and `rel="next"`; follow `next` while it says `results="true"`, as',
  '[Sentry’s API](https://docs.sentry.io/api/pagination/) does. `per_page` asks for fewer rows, at most 100 where nothing else is said.',
  '',
  '## Times',
  '',
  'Answers say UTC, as `2026-01-31T10:00:00.123000Z`. In queries, `statsPeriod` (`24h`, `14d`, `90m`) or `start` and `end`, which are UTC',
  'without an offset.',
  '',
  '## Webhooks',
  '',
  'What channels send is in the document too, under `webhooks`: signed as [Standard Webhooks](https://www.standardwebhooks.com) says, or as',
  'Sentry’s integration platform does.',
  '',
]
