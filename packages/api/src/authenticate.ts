/**
 * Who calls: a bearer token, or the session cookie of a browser. A change that only a cookie authorises must come
 * from our own pages; a token cannot be sent by somebody else's page.
 */
import { sameOrigin } from '@sonde/access'
import type { MiddlewareHandler } from 'hono'
import type { ApiEnv, ApiOptions } from './api-context.ts'

const BEARER = /^Bearer +(\S{1,500}) *$/i

export function authenticate({ access, publicUrl, trustedOrigins }: ApiOptions): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const authorization = c.req.header('authorization')
    if (authorization !== undefined) {
      const token = BEARER.exec(authorization)?.[1]
      const viewer = token === undefined ? undefined : await access.viewerFromToken(token)
      if (!viewer) return c.json({ detail: 'Invalid token' }, 401)
      c.set('viewer', viewer)
      return next()
    }
    const viewer = await access.viewerFromCookies(c.req.raw.headers)
    if (!viewer) return c.json({ detail: 'Authentication credentials were not provided.' }, 401)
    if (!isSafe(c.req.method) && !sameOrigin(c.req.raw.headers, publicUrl, trustedOrigins)) {
      return c.json({ detail: 'This must come from the same origin.' }, 403)
    }
    c.set('viewer', viewer)
    return next()
  }
}

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD'
