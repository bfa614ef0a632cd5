/** Where envelopes go: the site's own `/monitoring` (R1) with `o`, `p`, `r` (R2), or the ingest endpoint (R3). */
import type { Dsn, Options } from '../types.ts'
import { SDK_NAME, SDK_VERSION } from '../version.ts'

/** In the order they are tried. Authentication is in the query: a header of ours would cost a preflight. */
export function endpointsOf(
  { origin, publicKey, projectId, orgId, region }: Dsn,
  options: Options,
): string[] {
  const { tunnel, preferDirect, org = orgId } = options
  const direct = `${origin}/api/${projectId}/envelope/?sentry_version=7&sentry_key=${publicKey}&sentry_client=${SDK_NAME}%2F${SDK_VERSION}`
  if (!tunnel) return [direct]
  const own = `${tunnel}?p=${projectId}${org ? '&o=' + org : ''}${region ? '&r=' + region : ''}`
  return preferDirect ? [direct, own] : [own]
}
