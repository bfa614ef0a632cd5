/** One event as `/events/{id}/` answers it. */
import type { NormalizedEvent, UserInfo } from '@sonde/protocol/event'
import type { EventDetail } from '@sonde/queries'
import { isoDate } from './date.ts'
import { eventEntries } from './event-entries.ts'
import { jsErrors } from './js-errors.ts'
import { tagsJson } from './event-row.ts'

export function eventDetailJson(detail: EventDetail) {
  const { event } = detail
  return {
    id: event.event_id,
    eventID: event.event_id,
    groupID: String(detail.issueId),
    projectID: String(detail.projectId),
    type: event.type,
    title: event.derived.title,
    message: event.logentry?.formatted ?? event.logentry?.message ?? '',
    location: event.derived.metadata['filename'] ?? null,
    culprit: event.derived.culprit,
    metadata: event.derived.metadata,
    platform: event.platform,
    level: event.level,
    logger: event.logger ?? null,
    dist: event.dist ?? null,
    release: event.release === undefined ? null : releaseJson(event.release),
    environment: event.environment ?? null,
    transaction: event.transaction ?? null,
    dateCreated: isoDate(detail.timestampMs),
    dateReceived: isoDate(detail.receivedMs),
    size: detail.sizeBytes,
    entries: eventEntries(event),
    tags: tagsJson(detail.tags),
    user: event.user ? userJson(event.user) : null,
    contexts: event.contexts ?? {},
    context: event.extra ?? {},
    packages: event.modules ?? {},
    sdk: event.sdk ? { name: event.sdk.name ?? null, version: event.sdk.version ?? null } : null,
    errors: [
      ...(event.errors ?? []).map(({ type, name, value }) => ({
        type,
        message: '',
        data: { ...(name === undefined ? {} : { name }), ...(value === undefined ? {} : { value }) },
      })),
      ...jsErrors(event),
    ],
    fingerprints: event.derived.grouping?.hashes ?? [],
    previousEventID: detail.neighbours.previousId ?? null,
    nextEventID: detail.neighbours.nextId ?? null,
    occurrence: null,
    userReport: null,
    crashFile: null,
    _meta: {},
  }
}

/** `…/json/`: the event as it is stored, with lists under `values` as in Sentry. */
export function eventSourceJson(detail: EventDetail) {
  const { derived, exception, threads, breadcrumbs, unknown, ...event } = detail.event
  return {
    ...unknown,
    ...event,
    ...(exception === undefined ? {} : { exception: { values: exception } }),
    ...(threads === undefined ? {} : { threads: { values: threads } }),
    ...(breadcrumbs === undefined ? {} : { breadcrumbs: { values: breadcrumbs } }),
    project: detail.projectId,
    datetime: isoDate(detail.timestampMs),
    title: derived.title,
    culprit: derived.culprit,
    location: derived.metadata['filename'] ?? null,
    metadata: derived.metadata,
    hashes: derived.grouping?.hashes ?? [],
    message: messageOf(detail.event),
    tags: Object.entries(detail.tags).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  }
}

const messageOf = (event: NormalizedEvent): string =>
  event.logentry?.formatted ?? event.logentry?.message ?? ''

const userJson = (user: UserInfo) => ({
  id: user.id ?? null,
  email: user.email ?? null,
  username: user.username ?? null,
  name: user.name ?? null,
  ip_address: user.ip_address ?? null,
  geo: user.geo ?? null,
  data: user.data ?? null,
})

const releaseJson = (version: string) => ({ version, shortVersion: version.replace(/^[^@]*@/, '') })
