/**
 * Who calls: a bearer token, or the session cookie of a browser. A change that only a cookie authorises must come
 * from our own pages; a token cannot be sent by somebody else's page.
 */
import { type Access, sameOrigin, type Viewer } from '@sonde/access'
import type { MiddlewareHandler } from 'hono'
import type { ApiEnv, ApiOptions } from './api-context.ts'

const BEARER = /^Bearer +(\S{1,500}) *$/i

export function authenticate({ access, publicUrl, trustedOrigins }: ApiOptions): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { headers } = c.req.raw
    const viewer = await viewerOf(access, headers)
    if (!viewer) return c.json({ detail: await refusal(access, headers) }, 401)
    const isByCookie = viewer.kind === 'user'
    if (isByCookie && !isSafe(c.req.method) && !sameOrigin(headers, publicUrl, trustedOrigins)) {
      return c.json({ detail: 'This must come from the same origin.' }, 403)
    }
    c.set('viewer', viewer)
    c.set('grants', access.grantsFor(viewer))
    return next()
  }
}

/** Undefined: nobody, or nobody any more. */
export async function viewerOf(access: Access, headers: Headers): Promise<Viewer | undefined> {
  const authorization = headers.get('authorization')
  if (authorization === null) return access.viewerFromCookies(headers)
  const token = BEARER.exec(authorization)?.[1]
  return token === undefined ? undefined : access.viewerFromToken(token, headers)
}

async function refusal(access: Access, headers: Headers): Promise<string> {
  const authorization = headers.get('authorization')
  if (authorization === null) return 'Authentication credentials were not provided.'
  return access.refusalOfToken(BEARER.exec(authorization)?.[1] ?? '')
}

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD'
