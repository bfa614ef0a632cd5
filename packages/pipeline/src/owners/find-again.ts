/** Who owns issues by their newest stored events. Reads only: what is found is kept in a transaction of its own. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { FoundOwner, OwnerSearch, Records, Telemetry } from '@sonde/stores'

export type OpenIssue = {
  readonly id: number
  readonly project_id: number
  readonly last_event_id: string
  readonly first_release: string
  readonly regressed_release: string
}

type Needs = { readonly records: Records; readonly telemetry: Pick<Telemetry, 'query'> }

/** By issue. One that is not in it keeps its owners: retention has taken its newest event. */
export async function findAgain(
  { records, telemetry }: Needs,
  search: OwnerSearch,
  issues: readonly OpenIssue[],
): Promise<ReadonlyMap<number, readonly FoundOwner[]>> {
  if (!search.mayFind) return new Map(issues.map(({ id }) => [id, []]))
  const events = await newestEvents(telemetry, search.ownership.projectId, issues)
  const found = new Map<number, readonly FoundOwner[]>()
  for (const { id, project_id: projectId, first_release, regressed_release } of issues) {
    const event = events.get(id)
    const release = regressed_release || first_release
    const owners = await search.find(records, { issueId: id, projectId, release, read: () => event })
    if (owners) found.set(id, owners)
    // Ten thousand lines against a deep stack take a third of a second: others get their turn in between.
    await nextTurn()
  }
  return found
}

type ReadEvent = { readonly event: NormalizedEvent; readonly tags: Readonly<Record<string, string>> }

/** Two reads along keys, as for one event by its id. */
async function newestEvents(
  telemetry: Pick<Telemetry, 'query'>,
  project: number,
  issues: readonly OpenIssue[],
): Promise<ReadonlyMap<number, ReadEvent>> {
  const events = issues.map((issue) => issue.last_event_id)
  const places = await telemetry.query<{ issueId: number; timestampMs: number }>(
    `SELECT issue_id AS issueId, toUnixTimestamp64Milli(timestamp) AS timestampMs FROM event_index
     WHERE project_id = {project:UInt32} AND event_id IN {events:Array(FixedString(32))}`,
    { project, events },
  )
  if (places.length === 0) return new Map()
  const times = places.map(({ timestampMs }) => timestampMs)
  // While an event is replaced both of its rows are there: the newer comes last.
  const rows = await telemetry.query<{ issueId: number; payload: string; tags: Record<string, string> }>(
    `SELECT issue_id AS issueId, payload, tags FROM events
     WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
       AND timestamp >= {oldest:DateTime64(3, 'UTC')} AND timestamp <= {newest:DateTime64(3, 'UTC')}
       AND event_id IN {events:Array(FixedString(32))}
     ORDER BY issue_id, revision`,
    {
      project,
      events,
      issues: [...new Set(places.map(({ issueId }) => issueId))],
      oldest: Math.min(...times),
      newest: Math.max(...times),
    },
  )
  return new Map(
    rows.map(({ issueId, payload, tags }) => [
      issueId,
      { event: JSON.parse(payload) as NormalizedEvent, tags },
    ]),
  )
}
