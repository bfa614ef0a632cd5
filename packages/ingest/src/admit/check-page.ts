/**
 * Refuses what pages of foreign domains send: copies of a site, and sites that took over a DSN with the code around it.
 * It keeps noise out, not people: whoever leaves `Origin` and `Referer` away is let in, like every server and app.
 */
import type { IncomingMessage } from 'node:http'
import { type AllowedDomain, isAllowedPage, pageOrigin, parseAllowedDomain } from '@sonde/protocol'
import { refuse } from '../refusal.ts'
import type { KeyInfo } from './key-directory.ts'

/** Before the body is read: 403, counted as one filtered request. */
export function checkPage({ allowedDomains }: KeyInfo, { headers }: IncomingMessage): void {
  if (allowedDomains === undefined || allowedDomains.length === 0) return
  const page = pageOrigin(headers.origin, headers.referer)
  if (!page || isAllowedPage(page, parsed(allowedDomains))) return
  throw refuse(
    403,
    'allowed_domains',
    `pages of ${page.origin} may not send to this project; see its allowed domains in the settings`,
  )
}

// Per list: the directory gives the same one until the setting changes.
const parsedLists = new WeakMap<readonly string[], readonly AllowedDomain[]>()

function parsed(entries: readonly string[]): readonly AllowedDomain[] {
  const known = parsedLists.get(entries)
  if (known) return known
  const domains = entries.map((entry) => parseAllowedDomain(entry)).filter((domain) => domain !== undefined)
  parsedLists.set(entries, domains)
  return domains
}
