/**
 * `/.well-known/security.txt` (RFC 9116): whom to tell about a vulnerability of this installation. Only the operator knows
 * that, so without `SONDE_SECURITY_CONTACT` there is none: a file without `Contact` is invalid (section 2.5.3).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@sonde/base'

export const SECURITY_TXT_PATHS: readonly string[] = ['/.well-known/security.txt', '/security.txt']

export type SecurityTxtOptions = {
  /** A `mailto:`, `https:` or `tel:` URI. */
  readonly contact: string | undefined
  /** `https://sonde.example.com`; undefined: the operator did not name it, so no canonical address is known. */
  readonly publicUrl: string | undefined
  readonly clock: Clock
}

// Section 2.5.5 recommends less than a year. It is made anew at each request, so a cached copy is what can grow old.
const VALID_DAYS = 90
const DAY_MS = 86_400_000

export function createSecurityTxt({ contact, publicUrl, clock }: SecurityTxtOptions) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=3600',
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { ...headers, allow: 'GET, HEAD' }).end()
      return
    }
    if (contact === undefined) {
      res.writeHead(404, headers).end('Whoever runs this Sonde has set no SONDE_SECURITY_CONTACT.\n')
      return
    }
    res.writeHead(200, headers).end(securityTxt(contact, publicUrl, clock.nowMs()))
  }
}

function securityTxt(contact: string, publicUrl: string | undefined, nowMs: number): string {
  const expires = new Date(Math.floor(nowMs / DAY_MS + VALID_DAYS) * DAY_MS).toISOString()
  const lines = [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en']
  if (publicUrl?.startsWith('https:')) lines.push(`Canonical: ${publicUrl}${SECURITY_TXT_PATHS[0]}`)
  return `${lines.join('\n')}\n`
}
