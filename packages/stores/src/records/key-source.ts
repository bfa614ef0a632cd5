/**
 * The keys that may send, for the process that admits requests: it keeps them in memory and asks again and again whether
 * they changed. Apart from the other records, because that process has nothing else to read there, and because it works
 * while the records are migrated, restored or not there yet.
 */
import type { RecordsPlace } from './records-engine.ts'

export type KeyInfo = {
  readonly keyId: number
  readonly projectId: number
  readonly orgId: number
  /** A project id that DSNs with this key name too: those of the product that it was imported from. */
  readonly foreignProject?: string
  readonly isActive: boolean
  /** Of a key that was rotated: from then on it is not active. */
  readonly activeUntilMs?: number
  /** For each category on its own; nothing means no limit. */
  readonly rateLimit?: KeyLimit
  /** Of all keys of the project together, instead of the spike limits of every project. */
  readonly projectRateLimit?: KeyLimit
  /** Of all keys of the project together: transactions and spans alike. */
  readonly spanCaps?: SpanCaps
  /** Domains whose pages may send, the same list until it changes. Nothing or empty: every page. */
  readonly allowedDomains?: readonly string[]
}

/** `count` 0 refuses everything. */
export type KeyLimit = { readonly count: number; readonly windowSec: number }

export type SpanCaps = {
  readonly perMinute?: number
  /** The project stored as many spans as it may in its day or month; what is before now holds no more. */
  readonly refusedUntilMs?: number
}

/** All keys by their public key (32 lower hex), disabled ones too. */
export type KeySnapshot = { readonly version: string; readonly keys: ReadonlyMap<string, KeyInfo> }

export type KeySource = {
  /**
   * The keys as they are now; undefined when they are still those of `version`, which costs one small read. Everything
   * committed before the call is in the answer. Rejects when the records cannot be read: a later call may work.
   */
  read(version: string | undefined): Promise<KeySnapshot | undefined>
  close(): Promise<void>
}

/** Records that are not there yet are looked for at each read. The engine is loaded here. */
export async function openKeySource(place: RecordsPlace): Promise<KeySource> {
  if ('url' in place) return (await import('./postgres/postgres-key-source.ts')).openPostgresKeys(place.url)
  return (await import('./sqlite/sqlite-key-source.ts')).openSqliteKeys(place.file)
}
