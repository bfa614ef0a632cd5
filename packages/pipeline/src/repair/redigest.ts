/** Reading a stored event again: what goes to the digest threads, and what comes back. */
import type { TelemetryRow } from '@sonde/stores'
import type { IssueFields } from '../digest/digested.ts'

export type StoredEvent = {
  readonly projectId: number
  /** 32 lower hex. */
  readonly eventId: string
  readonly receivedMs: number
  readonly logPosition: number
  readonly itemIndex: number
  readonly revision: number
  /** `NormalizedEvent` as JSON text, scrubbed when it came. */
  readonly payload: string
}

export type Redigested = {
  /** False: it reads as it did; then the rest is of no use. */
  readonly changed: boolean
  /** Row of `events` without `issue_id`, of the revision after the stored one. */
  readonly row: TelemetryRow
  /** The primary one first. */
  readonly hashes: readonly string[]
  readonly issue: IssueFields
}

/**
 * In the order of the events; undefined for one that cannot be read, which stays as it is. Rejects when a store did not
 * answer: to be tried again.
 */
export type Redigest = (events: readonly StoredEvent[]) => Promise<readonly (Redigested | undefined)[]>
