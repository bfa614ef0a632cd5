import type { EventRow } from '@sonde/queries'
import { z } from 'zod'
import { isoDate, Time } from './date.ts'

export const EventTags = z.array(z.object({ key: z.string(), value: z.string() }))

export const EventInList = z
  .object({
    id: z.string(),
    eventID: z.string(),
    groupID: z.string(),
    projectID: z.string(),
    'event.type': z.string(),
    type: z.string(),
    title: z.string(),
    message: z.string(),
    location: z.null(),
    culprit: z.string(),
    user: z.record(z.string(), z.string()).nullable().meta({
      description: 'The one field that it is counted by: `id`, `email`, `username` or `ip_address`.',
    }),
    tags: EventTags,
    platform: z.string(),
    dateCreated: Time,
    dateReceived: Time,
    crashFile: z.null(),
    metadata: z.object({}),
  })
  .meta({ id: 'EventInList' })

export const eventRowJson = (row: EventRow) => ({
  id: row.eventId,
  eventID: row.eventId,
  groupID: String(row.issueId),
  projectID: String(row.projectId),
  'event.type': row.type,
  type: row.type,
  title: row.title,
  message: row.message,
  location: null,
  culprit: row.culprit,
  user: userOfKey(row.userKey),
  tags: tagsJson(row.tags),
  platform: row.platform,
  dateCreated: isoDate(row.timestampMs),
  dateReceived: isoDate(row.receivedMs),
  crashFile: null,
  metadata: {},
})

/** Sorted by key, so that the same event always reads the same. */
export const tagsJson = (tags: Readonly<Record<string, string>>) =>
  Object.entries(tags)
    .map(([key, value]) => ({ key, value }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))

const USER_FIELDS: ReadonlyMap<string, string> = new Map([
  ['id', 'id'],
  ['email', 'email'],
  ['username', 'username'],
  ['ip', 'ip_address'],
])

/** A list reads no payloads: of the user it knows the one field that counts them. */
function userOfKey(userKey: string): Record<string, string> | null {
  const colon = userKey.indexOf(':')
  const field = USER_FIELDS.get(userKey.slice(0, colon))
  return field === undefined ? null : { [field]: userKey.slice(colon + 1) }
}
