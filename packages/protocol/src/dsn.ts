/** `{scheme}://{public_key}[:{secret}]@{host}[:{port}]{/path}/{project_id}`: https://develop.sentry.dev/sdk/overview/#parsing-the-dsn */

/** The secret is deprecated and not kept. */
export type Dsn = {
  readonly scheme: 'http' | 'https'
  /** As written, without a flag such as `.no-cache`; SDKs accept any word, a server only 32 hex. */
  readonly publicKey: string
  readonly host: string
  readonly port?: number
  /** `''` or `/one/two`: where the server is mounted. */
  readonly path: string
  /** Digits without leading zeros. */
  readonly projectId: string
  /** The number in a host of the form `o123.…`, which SDKs write into the trace context. */
  readonly orgId?: string
}

const DSN =
  /^(https?):\/\/(\w+)(?:\.[\w-]*)?(?::[^@/\s]*)?@(\[[0-9a-f:.]+\]|[^\s/\\:?#@[\]]+)(?::(\d{1,5}))?((?:\/[^\s/?#]+)*)\/(\d{1,20})\/?(?:[?#]\S*)?$/i
const ORG_HOST = /^o(\d+)\./i
// Longer ones are not typos but attacks; real ones have about 80 characters.
const MAX_DSN_LENGTH = 2048

export function parseDsn(text: unknown): Dsn | undefined {
  if (typeof text !== 'string' || text.length > MAX_DSN_LENGTH) return undefined
  const match = DSN.exec(text.trim())
  if (!match) return undefined
  const [, scheme = '', publicKey = '', host = '', portText, path = '', projectId = ''] = match
  const port = portText === undefined ? undefined : Number(portText)
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined
  const orgId = ORG_HOST.exec(host)?.[1]
  return {
    scheme: scheme.toLowerCase() === 'https' ? 'https' : 'http',
    publicKey,
    host,
    ...(port === undefined ? {} : { port }),
    path,
    projectId: normalizeProjectId(projectId) ?? projectId,
    ...(orgId === undefined ? {} : { orgId }),
  }
}

/** Project ids are digits only, in DSNs and in paths: `^\d+$` in SDKs, an unsigned 64-bit number upstream. */
export function normalizeProjectId(text: string): string | undefined {
  if (!/^\d{1,20}$/.test(text)) return undefined
  return text.replace(/^0+(?=\d)/, '')
}

export function formatDsn(dsn: Dsn): string {
  return `${dsn.scheme}://${dsn.publicKey}@${authority(dsn)}${dsn.path}/${dsn.projectId}`
}

function authority({ host, port }: Dsn): string {
  return port === undefined ? host : `${host}:${port}`
}

/** A DSN's public key: 32 hex, which Relay lets a flag follow (`….no-cache`). https://develop.sentry.dev/sdk/overview/#parsing-the-dsn */
const PUBLIC_KEY = /^([0-9a-f]{32})(?:\.[\w-]{0,32})?$/i

/** 32 lower hex without the flag, or undefined. */
export function normalizePublicKey(text: string): string | undefined {
  return PUBLIC_KEY.exec(text)?.[1]?.toLowerCase()
}
