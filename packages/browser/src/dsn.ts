/** The browser's reading of a DSN: https://develop.sentry.dev/sdk/overview/#parsing-the-dsn */
import type { Dsn } from './types.ts'

/** Undefined for what is no DSN. Not the stricter parser of the server: every byte here is paid by each visitor. */
export function parseDsn(text: string): Dsn | undefined {
  const [, scheme, publicKey, host, projectId] =
    /^(https?:\/\/)(\w+)(?::\w*)?@([^@?#\s]+)\/(\d+)\/?$/.exec(text) ?? []
  if (!projectId) return undefined
  const [, orgId, region] = /^o(\d+)\.(?:ingest\.([a-z]{2})\.)?/.exec(host!) ?? []
  return { publicKey: publicKey!, projectId, origin: scheme! + host, orgId, region }
}
