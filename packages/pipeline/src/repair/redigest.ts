/** Reading a stored event again: what goes to the digest threads, and what comes back. */
import type { EventFields } from '@sonde/stores'
import type { IssueFields } from '../digest/digested.ts'

/** Columns of a row of `events`. */
export type StoredEvent = {
  readonly projectId: number
  readonly logPosition: number
  readonly itemIndex: number
  readonly receivedMs: number
  /** JSON of the `NormalizedEvent`, scrubbed when it came. */
  readonly payload: string
}

export type Redigested =
  | {
      readonly ok: true
      /** False: it reads as it did; then the rest is of no use. */
      readonly changed: boolean
      /** Of the row, with revision 0: whoever writes it knows the revision that it replaces. */
      readonly fields: EventFields
      /** The primary one first. */
      readonly hashes: readonly string[]
      readonly issue: IssueFields
    }
  /** It stays as it is. */
  | { readonly ok: false; readonly detail: string }

/** In the order of the events. Rejects when a store did not answer: to be tried again. */
export type Redigest = (events: readonly StoredEvent[]) => Promise<readonly Redigested[]>

export type ReadAnew = Extract<Redigested, { readonly ok: true }>
