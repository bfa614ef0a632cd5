/** Where the log on NATS JetStream is, and how its streams are made. */
import { ConfigError, type Logger } from '@sonde/base'

export type NatsLogOptions = {
  /** Servers of one cluster: `nats://host:4222,nats://host:4222`; with `tls://` encrypted. */
  readonly url: string
  readonly logger: Logger
  /** Sondes that share a NATS without sharing a log have different ones. Letters, digits, `-` and `_`. */
  readonly prefix?: string
  /** Cannot be changed once there are streams. */
  readonly partitions?: number
  /** How many servers keep a copy: 1, 3 or 5. */
  readonly replicas?: number
  /** Of all partitions together: a partition that holds its share refuses appends. */
  readonly maxBytes?: number
  /** Streams that are made begin above this position, whatever the time is. */
  readonly above?: number
  /** For how long an append is tried while no server takes it. */
  readonly appendMs?: number
}

export const NATS_DEFAULTS = {
  prefix: 'sonde',
  partitions: 8,
  replicas: 1,
  // As much as the embedded log keeps.
  maxBytes: 8 * 2 ** 30,
  // A cluster chooses another leader within about four seconds.
  appendMs: 10_000,
} as const

export type ServerAddress = {
  readonly servers: string[]
  readonly user?: string
  readonly pass?: string
  readonly token?: string
  readonly isEncrypted: boolean
}

/** Undefined for what is no list of NATS addresses. Who signs in is the same on all of them: the first says it. */
export function readAddress(text: string): ServerAddress | undefined {
  const urls = text
    .split(',')
    .map((part) => part.trim())
    .map((part) => (URL.canParse(part) ? new URL(part) : undefined))
  const [first] = urls
  const isAddress = (url: URL | undefined): url is URL =>
    url !== undefined &&
    /^(?:nats|tls):$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^\/?$/.test(url.pathname)
  if (!first || !urls.every(isAddress)) return undefined
  const { username, password } = first
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  return {
    servers: urls.map((url) => `${url.hostname}:${url.port || '4222'}`),
    ...(user && !pass ? { token: user } : {}),
    ...(user && pass ? { user, pass } : {}),
    isEncrypted: first.protocol === 'tls:',
  }
}

/** The addresses without who signs in: for people. */
export const shownAddress = (url: string): string =>
  readAddress(url)?.servers.join(', ') ?? '(not an address)'

export const wrongSetting = (setting: string, message: string, hint: string): ConfigError =>
  new ConfigError(setting, message, hint)
