/** What processing a log record gives: everything that can be known without asking a store. Crosses threads as data. */
import { hash } from 'node:crypto'
import type { CronArrival, OutcomeFields, RowTable, TelemetryRow } from '@sonde/stores'

export type ProcessedRecord = {
  readonly position: number
  readonly next: number
  readonly events: readonly ProcessedEvent[]
  readonly rows: readonly ProcessedRows[]
  readonly attachments: readonly ProcessedAttachment[]
  /** Of everything that ended here: all items but the above, which end when they are committed. */
  readonly outcomes: readonly OutcomeFields[]
  readonly dead: readonly DeadItem[]
}

export type ProcessedEvent = {
  readonly position: number
  readonly itemIndex: number
  readonly projectId: number
  readonly keyId: number
  /** 32 lower hex. */
  readonly eventId: string
  /** Where it is counted: `error`, `default`, `security`, `feedback`, `user_report_v2`. */
  readonly category: string
  readonly receivedMs: number
  /** Row of `events` without `issue_id`; as bytes when it came from a worker thread. */
  readonly row: TelemetryRow
  /** The primary one first. */
  readonly hashes: readonly string[]
  readonly issue: IssueFields
  /** What "users" counts; empty: nobody is known. */
  readonly userKey: string
  /** Class; empty: none. */
  readonly noise: string
  /** Events of its issue and day that are stored before it is thinned. Undefined: all. */
  readonly fullPerDay?: number | undefined
}

/** An item without an issue, whose rows go into their tables as they are: spans, and whatever else has a time and no group. */
export type ProcessedRows = {
  readonly position: number
  readonly itemIndex: number
  readonly projectId: number
  readonly keyId: number
  /** 32 lower hex: its own, or made from its bytes. The same again is a repetition. */
  readonly eventId: string
  /** Where the item is counted. */
  readonly category: string
  readonly receivedMs: number
  readonly timestampMs: number
  /** What it names of releases, also for what is left out; as a rule one. */
  readonly releases: readonly string[]
  /** What ends with the item when it is committed: a transaction as such, and its spans as spans. */
  readonly counts: readonly Count[]
  /** Lines, joined; as bytes when they came from a worker thread. */
  readonly rows: { readonly [Table in RowTable]?: TelemetryRow }
  /** Of metrics: of each line of theirs the series that it goes on with, or empty. */
  readonly series?: readonly string[]
  /** Of a check-in: what the job that judges monitors reads. */
  readonly checkIn?: CronArrival
  /** Bytes that go into a blob beside the rows. */
  readonly recording?: ProcessedRecording
}
/** A segment of a session replay, as it is stored: without secrets, compressed. */
export type ProcessedRecording = {
  readonly replayId: string
  readonly segmentId: number
  readonly content: Uint8Array
  readonly rawBytes: number
  readonly startedMs: number
  readonly finishedMs: number
  /** Of mobile SDKs: what was on the screen meanwhile. */
  readonly video?: ProcessedVideo
}
export type ProcessedVideo = {
  readonly content: Uint8Array
  readonly type: 'video/mp4' | 'video/webm'
  /** As the device's clock said. */
  readonly startedMs: number
  readonly durationMs: number
}
export type Count = { readonly category: string; readonly quantity: number }

/** What an event says about its issue. */
export type IssueFields = {
  readonly timestampMs: number
  readonly type: string
  readonly level: string
  readonly title: string
  readonly culprit: string
  readonly platform: string
  /** JSON text. */
  readonly metadata: string
  readonly logger: string
  readonly isUnhandled: boolean
  readonly release: string
  readonly environment: string
}

/** A file that came with an event. Its bytes are `[offset, offset + bytes)` of its log record. */
export type ProcessedAttachment = {
  readonly position: number
  readonly itemIndex: number
  readonly projectId: number
  readonly keyId: number
  readonly eventId: string
  readonly receivedMs: number
  readonly name: string
  readonly contentType: string
  readonly attachmentType: string
  readonly shownAs: string
  readonly offset: number
  readonly bytes: number
  readonly sha1: string
  readonly sha256: string
}

/** Index of a dead letter that is the whole record: its envelope cannot be read. */
export const WHOLE_RECORD = -1

export type DeadReason =
  | 'record_unreadable'
  | 'envelope_unreadable'
  | 'digest_error'
  | 'digest_timeout'
  | 'digest_crash'
  | 'store_refused'

export type DeadItem = {
  /** 0 when not even that can be read. */
  readonly projectId: number
  readonly keyId: number
  readonly receivedMs: number
  readonly itemIndex: number
  readonly itemType: string
  readonly category: string
  readonly reason: DeadReason
  readonly detail: string
}

/** Where an item is in the log. */
export type LogPlace = {
  /** Absent: the first. */
  readonly partition?: number | undefined
  readonly position: number
  readonly itemIndex: number
}

/** In front of a position in names that have to differ by partition. Of the first it is empty, as in names of before. */
export const partitionPrefix = (partition: number | undefined): string => (partition ? `${partition}/` : '')

/** For an event that nobody named: the same each time the record is processed, another for every other record. */
export function eventIdFromPosition({ partition, position, itemIndex }: LogPlace): string {
  return hash('sha256', `event ${partitionPrefix(partition)}${position} ${itemIndex}`, 'hex').slice(0, 32)
}
