/**
 * How large the body of a request may be that the front hands on: one bound for everything behind it, so that no part
 * of the back reads without end. The parts have bounds of their own, which are narrower. What SDKs send does not come
 * by here: ingest has its own limits.
 */
import type { IncomingMessage } from 'node:http'
import type { Refused } from './refuse.ts'

/** Headers that belong to one connection and are not handed on: RFC 9110, 7.6.1, https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  // Each side makes its own: the front has answered `100 Continue`, and undici frames the body anew.
  'expect',
  'transfer-encoding',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Without those, and without what `Connection` names. Names are in lower case on both sides. */
export function endToEndHeaders(headers: Headers): Record<string, string | string[]> {
  const named = new Set(
    [headers['connection'] ?? []]
      .flat()
      .flatMap((value) => value.toLowerCase().split(','))
      .map((name) => name.trim()),
  )
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.has(name)) kept[name] = value
  }
  return kept
}

const KIB = 1024
const MIB = 1024 * KIB

export type BodyBound = {
  /** As it is called in "… has at most …". */
  readonly what: string
  /** Default: any. */
  readonly methods?: readonly string[]
  readonly path: RegExp
  readonly contentType?: RegExp
  readonly maxBytes: number
}

const IN_ORG = '^/api/0/organizations/[^/]+'
const IN_ORG_OR_PROJECT = '^/api/0/(?:organizations/[^/]+|projects/[^/]+/[^/]+)'

/** The first that fits counts. */
export const BODY_BOUNDS: readonly BodyBound[] = [
  {
    // 32 MiB of pieces, which clients are told to keep to, and what stands between them.
    what: 'a request with pieces of an upload',
    methods: ['POST'],
    path: new RegExp(`${IN_ORG}/chunk-upload/?$`),
    maxBytes: 33 * MIB,
  },
  {
    // Larger files go in pieces.
    what: 'a file of a release',
    methods: ['POST'],
    path: new RegExp(`${IN_ORG_OR_PROJECT}/releases/[^/]+/files/?$`),
    maxBytes: 33 * MIB,
  },
  {
    // Some thousand commits with the names of their files.
    what: 'a release with its commits',
    methods: ['POST', 'PUT'],
    path: new RegExp(`${IN_ORG_OR_PROJECT}/releases(?:/[^/]+)?/?$`),
    maxBytes: 16 * MIB,
  },
  {
    // Ten thousand members.
    what: 'a group of a directory',
    methods: ['POST', 'PUT', 'PATCH'],
    path: new RegExp(`${IN_ORG}/scim/v2/Groups(?:/[^/]+)?/?$`),
    maxBytes: 4 * MIB,
  },
  {
    // Answered 501 unread: with less room an uploader would print the bound and not the reason.
    what: 'a request with debug files',
    methods: ['POST', 'PUT', 'PATCH'],
    path: /^\/api\/0\/projects\/[^/]+\/[^/]+\/files\/(?:dsyms|proguard-artifact-releases|preprodartifacts)(?:\/|$)/,
    maxBytes: 33 * MIB,
  },
  {
    // A code and its proof, or ten addresses.
    what: 'a request of an application that signs in',
    path: /^\/api\/0\/oauth\//,
    maxBytes: 16 * KIB,
  },
  {
    // The list of an upload's pieces is the longest: 300 kB.
    what: 'a request to the API',
    path: /^\/api\/0\//,
    maxBytes: MIB,
  },
  {
    // An address, a password or a code.
    what: 'a sign-in',
    path: /^\/api\/auth\//,
    maxBytes: 16 * KIB,
  },
  {
    // A statement or a comment, as JSON.
    what: 'a message to the MCP server',
    path: /^\/mcp\/?$/,
    maxBytes: 64 * KIB,
  },
  {
    // Rules and filters that people paste. Files are sent to no page.
    what: 'a form of a page',
    path: /^\/(?!api\/)/,
    contentType: /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i,
    maxBytes: MIB,
  },
  {
    // Nothing of Sonde's own sends a body anywhere else.
    what: 'a request here',
    path: /^/,
    maxBytes: 64 * KIB,
  },
]

export function bodyBound(req: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): BodyBound {
  const { method = '', url = '/', headers } = req
  const path = url.split('?', 1)[0] ?? '/'
  const fits = BODY_BOUNDS.find(
    (bound) =>
      (bound.methods?.includes(method) ?? true) &&
      bound.path.test(path) &&
      (bound.contentType === undefined || bound.contentType.test(headers['content-type'] ?? '')),
  )
  if (!fits) throw new Error(`no bound fits ${path}`)
  return fits
}

/** Refused before a byte of it is read. */
export function declaredTooLarge(req: IncomingMessage): Refused | undefined {
  const declared = req.headers['content-length']
  return declared !== undefined && Number(declared) > bodyBound(req).maxBytes
    ? tooLargeRefusal(req)
    : undefined
}

export function tooLargeRefusal(req: IncomingMessage): Refused {
  const { what, maxBytes } = bodyBound(req)
  const bound = maxBytes < MIB ? `${maxBytes / KIB} KiB` : `${maxBytes / MIB} MiB`
  return { status: 413, detail: `${what} has at most ${bound}` }
}
