/** `/.well-known/oauth-…`: how programs find where to sign in (RFC 8414) and what the MCP server wants (RFC 9728). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { authorizationServer, protectedResource } from '@sonde/access'

export type OauthMetadata = (req: IncomingMessage, res: ServerResponse) => void

/** Below the issuer's path and without it: clients look in both places, each at the first that its document names. */
export function createOauthMetadata(publicUrl: string): OauthMetadata {
  const documents: Readonly<Record<string, string>> = {
    '/.well-known/oauth-authorization-server': JSON.stringify(authorizationServer(publicUrl)),
    '/.well-known/oauth-protected-resource': JSON.stringify(protectedResource(publicUrl)),
    '/.well-known/oauth-protected-resource/mcp': JSON.stringify(protectedResource(publicUrl)),
  }
  return (req, res) => {
    const path = (req.url ?? '').split('?', 1)[0]?.replace(/\/$/, '') ?? ''
    const document = documents[path]
    // Nothing of it is secret, and pages that connect ask for it from their own origin.
    const open = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'mcp-protocol-version',
    }
    if (document === undefined || !['GET', 'HEAD', 'OPTIONS'].includes(req.method ?? '')) {
      res.writeHead(document === undefined ? 404 : 405, { ...open, 'content-type': 'application/json' })
      res.end('{"detail":"not found"}')
      return
    }
    res.writeHead(req.method === 'OPTIONS' ? 204 : 200, {
      ...open,
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    })
    res.end(req.method === 'GET' ? document : undefined)
  }
}
