/** Where envelopes go: the site's own `/monitoring` (R1) with `o`, `p`, `r` (R2), or the ingest endpoint (R3). */
import type { Dsn, Options } from '../types.ts'
import { SDK_NAME, SDK_VERSION } from '../version.ts'

/** In the order they are tried. Authentication is in the query: a header of ours would cost a preflight. */
export function endpointsOf(dsn: Dsn, options: Options): string[] {
  const { tunnel, preferDirect, org = dsn.orgId, region = dsn.region } = options
  const direct = `${dsn.origin}/api/${dsn.projectId}/envelope/?${query({
    sentry_version: 7,
    sentry_key: dsn.publicKey,
    sentry_client: `${SDK_NAME}/${SDK_VERSION}`,
  })}`
  if (!tunnel) return [direct]
  const own = tunnel + (tunnel.includes('?') ? '&' : '?') + query({ o: org, p: dsn.projectId, r: region })
  return preferDirect ? [direct, own] : [own]
}

function query(fields: Record<string, unknown>): string {
  return Object.keys(fields)
    .filter((key) => fields[key])
    .map((key) => `${key}=${encodeURIComponent(String(fields[key]))}`)
    .join('&')
}
