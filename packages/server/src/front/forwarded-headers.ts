/** The headers of a request as the back gets them. */
import type { IncomingMessage } from 'node:http'
import type { ProxyTrust } from '@sonde/ingest'
import { CLIENT_ADDRESS, CLIENT_PROTO } from '../internal/client-headers.ts'
import { endToEndHeaders } from './hop-headers.ts'

/** Claims about where a request came from. They are judged here, once, and not handed on to be believed elsewhere. */
const CLAIM = /^(?:x-forwarded-.*|forwarded|x-real-ip|x-sonde-client-.*)$/

export function forwardedHeaders(req: IncomingMessage, trust: ProxyTrust): Record<string, string | string[]> {
  const headers = endToEndHeaders(req.headers)
  for (const name of Object.keys(headers)) if (CLAIM.test(name)) delete headers[name]
  const address = trust.clientAddress(req)
  if (address !== undefined) headers[CLIENT_ADDRESS] = address
  if (clientUsesTls(req, trust)) headers[CLIENT_PROTO] = 'https'
  return headers
}

/** The last entry is the nearest proxy's. */
function clientUsesTls(req: IncomingMessage, trust: ProxyTrust): boolean {
  const claimed = String(req.headers['x-forwarded-proto'] ?? '')
    .split(',')
    .at(-1)
  return claimed?.trim().toLowerCase() === 'https' && trust.isProxy(req)
}
