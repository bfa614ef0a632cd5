/**
 * The door of the MCP server at `/mcp`: who asks, and from where. What answers is loaded with the first request that may ask: the
 * SDK takes 80 ms and 13 MB, which an installation without agents should not pay.
 */
import type { McpOptions, ServeMcp } from './mcp-options.ts'

const BEARER = /^Bearer +(\S{1,500}) *$/i

/** Answers any request to `/mcp`. */
export function createMcp(options: McpOptions): (request: Request) => Promise<Response> {
  const { access, publicUrl } = options
  let loading: Promise<ServeMcp> | undefined
  const load = (): Promise<ServeMcp> => {
    loading ??= import('./serve-mcp.ts').then(
      ({ createServeMcp }) => createServeMcp(options),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  const origins = new Set([new URL(publicUrl).origin, ...(options.trustedOrigins ?? [])])
  return async (request) => {
    const { headers } = request
    // A page of another name that leads to this machine, for which its browser would ask here (DNS rebinding).
    const origin = headers.get('origin')
    if (origin !== null && !origins.has(origin))
      return refusal(403, 'Pages of other origins may not ask here.')
    const token = BEARER.exec(headers.get('authorization') ?? '')?.[1]
    const viewer = token === undefined ? undefined : await access.viewerFromToken(token, headers, 'mcp')
    if (token === undefined || !viewer)
      return refusal(
        401,
        token === undefined
          ? 'Sign in with OAuth, or send an API token as bearer.'
          : await access.refusalOfToken(token),
        challengeOf(publicUrl, token !== undefined),
      )
    const answer = await (await load())(request, { viewer, token })
    answer.headers.set('cache-control', 'no-store')
    answer.headers.set('x-content-type-options', 'nosniff')
    return answer
  }
}

/** RFC 9728, 5.1: where a client learns how to sign in. */
const challengeOf = (publicUrl: string, isInvalid: boolean): string =>
  `Bearer ${isInvalid ? 'error="invalid_token", ' : ''}resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`

function refusal(status: number, message: string, challenge?: string): Response {
  const body = { jsonrpc: '2.0', id: null, error: { code: -32_000, message } }
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(challenge !== undefined && { 'www-authenticate': challenge }),
    },
  })
}
