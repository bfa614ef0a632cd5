/** An event as lists show it: columns only, never the payload. */
export type EventRow = {
  /** 32 lower hex. */
  readonly eventId: string
  readonly projectId: number
  readonly issueId: number
  readonly timestampMs: number
  readonly receivedMs: number
  readonly type: string
  readonly level: string
  readonly platform: string
  readonly title: string
  readonly culprit: string
  readonly message: string
  readonly release: string
  readonly environment: string
  readonly transaction: string
  readonly url: string
  /** `id:42`, `email:…`, `username:…` or `ip:…`; empty when nobody is known. */
  readonly userKey: string
  readonly tags: Readonly<Record<string, string>>
}

/** Selects the columns of an `EventRow` under its names, so that a result needs no mapping. */
export const EVENT_ROW_COLUMNS = `toString(event_id) AS eventId, project_id AS projectId, issue_id AS issueId,
  toUnixTimestamp64Milli(timestamp) AS timestampMs, toUnixTimestamp64Milli(received) AS receivedMs, type, level,
  platform, title, culprit, message, release, environment, transaction, url, user_key AS userKey, tags`
