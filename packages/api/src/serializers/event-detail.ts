/** One event as `/events/{id}/` answers it. */
import type { Frame, NormalizedEvent, UserInfo } from '@sonde/protocol/event'
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import type { EventDetail as Detail } from '@sonde/queries'
import { z } from 'zod'
import { isoDate, Time } from './date.ts'
import { eventEntries } from './event-entries.ts'
import { EventEntry } from './event-entry-schemas.ts'
import { EventTags, tagsJson } from './event-row.ts'
import { IssueMetadata } from './issue.ts'

const Fields = z.record(z.string(), z.unknown())
const Text = z.string().nullable()

/** What SDKs send has fields that nobody names: `contexts` and the like are as they came. */
export const EventDetail = z
  .object({
    id: z.string(),
    eventID: z.string(),
    groupID: z.string(),
    projectID: z.string(),
    type: z.string(),
    title: z.string(),
    message: z.string(),
    location: Text.meta({ description: 'The file.' }),
    culprit: z.string(),
    metadata: IssueMetadata,
    platform: z.string(),
    level: z.string(),
    logger: z.string().nullable(),
    dist: z.string().nullable(),
    release: z.object({ version: z.string(), shortVersion: z.string() }).nullable(),
    environment: z.string().nullable(),
    transaction: z.string().nullable(),
    dateCreated: Time,
    dateReceived: Time,
    size: z.int(),
    entries: z.array(EventEntry).meta({ description: 'Each at most once, in the order of Sentry.' }),
    tags: EventTags,
    user: z
      .object({
        id: Text,
        email: Text,
        username: Text,
        name: Text,
        ip_address: Text,
        geo: Fields.nullable().meta({ description: 'As the SDK sent it, mostly `country_code` and `city`.' }),
        data: Fields.nullable().meta({ description: 'What else the SDK sent of the user.' }),
      })
      .nullable(),
    contexts: z
      .record(z.string(), Fields.meta({ description: 'As the SDK sent it.' }))
      .meta({ description: 'By name (`os`, `device`, `trace`, …), each as the SDK sent it.' }),
    context: Fields.meta({ description: 'Extra data, named by the program.' }),
    packages: z.record(z.string(), z.string()).meta({ description: 'Versions by name of the package.' }),
    sdk: z.object({ name: z.string().nullable(), version: z.string().nullable() }).nullable(),
    errors: z
      .array(
        z.object({
          type: z.string().meta({ examples: ['js_no_source'] }),
          message: z.string(),
          data: Fields.meta({
            description:
              'Of a frame `url`, `sourcemap`, `row`, `column`, `reason` and `detail`; of a field its `name` and `value`, as it came.',
          }),
        }),
      )
      .meta({ description: 'What could not be read of the event.' }),
    fingerprints: z.array(z.string()),
    previousEventID: z.string().nullable(),
    nextEventID: z.string().nullable(),
    occurrence: z.null(),
    userReport: z.null(),
    crashFile: z.null(),
    _meta: z.object({}),
  })
  .meta({ id: 'EventDetail' })

export const EventSource = z
  .looseObject({
    event_id: z.string(),
    type: z.string(),
    platform: z.string(),
    level: z.string(),
    timestamp: z.number().meta({ description: 'Unix seconds.' }),
    received: z.number().meta({ description: 'Unix seconds.' }),
    project: z.int(),
    datetime: Time,
    title: z.string(),
    culprit: z.string(),
    location: Text,
    metadata: IssueMetadata,
    hashes: z.array(z.string()),
    message: z.string(),
    tags: z.array(z.tuple([z.string(), z.string()])),
  })
  .meta({
    id: 'EventSource',
    description:
      'The event as it is stored, with lists under `values`. Further fields are those that the SDK sent: https://develop.sentry.dev/sdk/data-model/event-payloads/',
  })

export function eventDetailJson(detail: Detail) {
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
export function eventSourceJson(detail: Detail) {
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

/**
 * Why frames of scripts are not readable, as clients of the public API know it: one entry of `errors` for each script and
 * reason. Our own reason goes with it, which says more.
 */
type JsError = {
  readonly type: string
  readonly message: string
  readonly data: Readonly<Record<string, string | number>>
}

/** As `errors` of https://docs.sentry.io/api/events/retrieve-an-event-for-a-project/ names them. */
const NOT_FOUND = { type: 'js_no_source', message: 'Source code was not found' } as const
const INVALID = { type: 'js_invalid_source', message: 'Source map was not valid' } as const
const LOCATION = {
  type: 'js_invalid_sourcemap_location',
  message: 'Invalid location in the source map',
} as const
const MISSING_DSYM = {
  type: 'native_missing_dsym',
  message: 'A required debug information file was missing',
} as const
const TYPES: Readonly<Record<FrameProblem, { readonly type: string; readonly message: string }>> = {
  no_debug_id: NOT_FOUND,
  no_artifact: NOT_FOUND,
  no_release_files: NOT_FOUND,
  other_dist: NOT_FOUND,
  no_such_file: NOT_FOUND,
  no_map: NOT_FOUND,
  too_large: { type: 'js_too_large', message: 'Source code or source map is too large' },
  broken_map: INVALID,
  unsupported_map: INVALID,
  other_file: LOCATION,
  no_position: LOCATION,
  no_debug_file: MISSING_DSYM,
  broken_debug_file: { type: 'native_bad_dsym', message: 'The debug information file used was broken' },
  no_symbol: { type: 'native_missing_symbol', message: 'Could not resolve symbol for address' },
  no_lines: MISSING_DSYM,
  no_source: { type: 'js_missing_sources_content', message: 'The source map has no text of its sources' },
}

/** An event of many bundles has as many entries; nobody reads more. */
const MAX_ERRORS = 50

export function jsErrors({
  exception = [],
  threads = [],
}: Pick<NormalizedEvent, 'exception' | 'threads'>): JsError[] {
  const errors = new Map<string, JsError>()
  for (const frame of [...exception, ...threads].flatMap(({ stacktrace }) => stacktrace?.frames ?? [])) {
    const error = errorOf(frame)
    if (error) errors.set(JSON.stringify(error), error)
    if (errors.size === MAX_ERRORS) break
  }
  return [...errors.values()]
}

function errorOf({ problem, abs_path: path, filename, lineno, colno, data }: Frame): JsError | undefined {
  if (!problem) return undefined
  const { reason, detail } = problem
  const url = path ?? filename
  const map = data?.['sourcemap']
  const place = TYPES[reason] === LOCATION
  return {
    ...TYPES[reason],
    data: {
      ...(url === undefined ? {} : { url }),
      ...(typeof map === 'string' ? { sourcemap: map } : {}),
      ...(place && lineno !== undefined ? { row: lineno } : {}),
      ...(place && colno !== undefined ? { column: colno } : {}),
      reason,
      ...(detail === undefined ? {} : { detail }),
    },
  }
}
