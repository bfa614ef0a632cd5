/** Answers of status pages: the document around them, their headers, and that a copy may be kept for some seconds. */
import { createHash } from 'node:crypto'
import { type Markup, markup } from './markup.server.ts'
import { STATUS_POLICY, STATUS_STYLE } from './status-style.server.ts'

export type StatusDocument = {
  readonly title: string
  readonly body: Markup
  /** In the head. */
  readonly links?: Markup
  /** Not for search engines. */
  readonly isPrivate?: boolean
}

export const statusDocument = ({ title, body, links, isPrivate = false }: StatusDocument): string =>
  `<!doctype html>\n${
    markup`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">${isPrivate && markup`<meta name="robots" content="noindex">`}
<title>${title}</title>${links}<link rel="icon" href="data:,"><style>${{ markup: STATUS_STYLE }}</style></head>
<body>${body}</body></html>`.markup
  }\n`

type Asked = { readonly request: Request; readonly url: URL }

/**
 * How long browsers and caches may show a copy without asking: crowds come when something is down, and what they see is no older than
 * this.
 */
const FRESH_SEC = 5

/** 200, or 304 for whoever has the same already. */
export function cachedAnswer(
  { request, url }: Asked,
  body: string,
  contentType: string,
  extra: Readonly<Record<string, string>> = {},
): Response {
  const digest = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  const headers = {
    ...commonHeaders(url),
    ...extra,
    'content-type': contentType,
    // Weak: what is sent may be compressed on the way.
    etag: `W/${digest}`,
    // With an answer to somebody who is signed in goes a cookie now and then: no cache in between may keep that.
    'cache-control': request.headers.has('cookie')
      ? `private, max-age=${FRESH_SEC}`
      : `public, max-age=${FRESH_SEC}`,
  }
  const known = (request.headers.get('if-none-match') ?? '')
    .split(',')
    .map((text) => text.trim().replace(/^W\//, ''))
  return known.includes(digest)
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers })
}

/** Of forms and of what is not published: nobody keeps it. */
export function freshAnswer({ url }: Pick<Asked, 'url'>, document: StatusDocument, status = 200): Response {
  return new Response(statusDocument({ isPrivate: true, ...document }), {
    status,
    headers: {
      ...commonHeaders(url),
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    },
  })
}

const commonHeaders = (url: URL): Readonly<Record<string, string>> => ({
  'content-security-policy': STATUS_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // With `no-referrer` browsers would send forms without an origin, which are refused. Tokens stand in addresses: nobody else sees them.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  ...(url.protocol === 'https:' ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})
