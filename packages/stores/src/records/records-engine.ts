/** What the records are to whoever opens them, whichever engine they are in. */
import type { Records } from './schema.ts'

export type RecordsPlace = { readonly file: string } | { readonly url: string }

/** For people: what is asked, and where; never with a password. */
export type RecordsEngine = {
  readonly name: 'SQLite' | 'PostgreSQL'
  readonly version: string
  readonly place: string
  /** The last migration. */
  readonly schema: string
}

export type OpenRecords = {
  /**
   * SQLite: one transaction at a time in this process; it takes the write lock when it begins, and everybody else's `db`
   * waits for its end. PostgreSQL: as many at once as there are connections. Either way see `writeTransaction`.
   */
  readonly db: Records
  readonly engine: RecordsEngine
  /**
   * Another text whenever somebody, in whichever process, may have changed rows since: costs microseconds. Absent: the engine cannot
   * say so cheaply.
   */
  readonly version?: () => string
  /** What the records occupy, indexes included. */
  readonly sizeBytes: () => Promise<number>
  /**
   * Afterwards nothing is in the engine's tables of what was deleted. Copies everything: seconds, while nobody writes. What
   * a server keeps beside them (its log, its backups) is its operator's.
   */
  readonly eraseDeleted: () => Promise<void>
  readonly close: () => Promise<void>
}
