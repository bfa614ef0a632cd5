/** Stored events of open-source Sentry (fixtures/glitchtip/oss_sentry_json) as our normalised events. */
import { readdirSync, readFileSync } from 'node:fs'
import type { JsonObject, NormalizedEvent } from '@sonde/protocol/event'
import type { EventDetail } from '@sonde/queries'

const FOLDER = new URL('../../../fixtures/glitchtip/oss_sentry_json/', import.meta.url)

export type FixtureEvent = {
  readonly name: string
  readonly stored: JsonObject
  readonly detail: EventDetail
}

/** What Sentry adds to an event or keeps as null, and what ours keeps elsewhere. */
const NOT_IN_EVENT = new Set(
  'project datetime time_spent title culprit location metadata hashes key_id message tags version'.split(' '),
)

const LISTS = new Set(['exception', 'breadcrumbs', 'threads'])

function detailOf(stored: JsonObject): EventDetail {
  const fields = Object.entries(stored).filter(([name, value]) => value !== null && !NOT_IN_EVENT.has(name))
  const event = Object.fromEntries(
    fields.map(([name, value]) => [name, LISTS.has(name) ? (value as { values: unknown }).values : value]),
  )
  const timestampMs = (stored['timestamp'] as number) * 1000
  return {
    event: {
      ...event,
      derived: {
        title: stored['title'],
        culprit: stored['culprit'],
        metadata: stored['metadata'],
        grouping: { version: 'v1', basis: 'stacktrace', hashes: stored['hashes'], parts: [] },
      },
    } as unknown as NormalizedEvent,
    tags: Object.fromEntries(stored['tags'] as unknown as [string, string][]),
    projectId: stored['project'] as number,
    issueId: 7,
    timestampMs,
    receivedMs: timestampMs,
    sizeBytes: 1,
    neighbours: { previousId: undefined, nextId: undefined },
  }
}

export const fixtureEvents: readonly FixtureEvent[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => {
    const stored = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as JsonObject
    return { name, stored, detail: detailOf(stored) }
  })
