/** The issue trackers that an organization is connected to. */
import type { Grant } from '@sonde/access'
import type { Selectable, TrackerConnectionTable, TrackerKind } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

type Deps = Pick<QueryDeps, 'records' | 'publicUrl'>

export type TrackerName = {
  readonly id: number
  readonly kind: TrackerKind
  readonly name: string
  /** Repositories, projects or teams that issues may be made and found in; the first is offered first. */
  readonly places: readonly string[]
}

/** For whoever links an issue, or chooses where a rule makes one: of the organization, by name. */
export async function trackerNames(
  { records }: Pick<Deps, 'records'>,
  { orgId }: Grant<'event:read', 'org' | 'project'> | Grant<'alert:read', 'org' | 'project'>,
): Promise<readonly TrackerName[]> {
  const rows = await selectConnections(records, orgId).execute()
  return rows.map(trackerName)
}

export type TrackerRow = TrackerName & {
  /** Whoever closes or opens an issue there resolves or reopens it here. */
  readonly isSyncedIn: boolean
  /** Whoever resolves or reopens an issue here closes or opens it there. */
  readonly isSyncedOut: boolean
  readonly createdMs: number
  /** Undefined: the tracker took the last request, or there was none. */
  readonly failingSinceMs: number | undefined
  /** When the last webhook with a right signature came; undefined: none yet. */
  readonly webhookMs: number | undefined
  /** How many issues are linked through it. */
  readonly links: number
}

/** By name. */
export async function listTrackers(
  { records }: Pick<Deps, 'records'>,
  { orgId }: Grant<'alert:read', 'org'>,
): Promise<readonly TrackerRow[]> {
  const [rows, counts] = await Promise.all([
    selectConnections(records, orgId).execute(),
    records
      .selectFrom('tracker_link')
      .innerJoin('tracker_connection', 'tracker_connection.id', 'tracker_link.connection_id')
      .select('tracker_link.connection_id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('tracker_connection.org_id', '=', orgId)
      .groupBy('tracker_link.connection_id')
      .execute(),
  ])
  const links = new Map(counts.map(({ connection_id, count }) => [connection_id, count]))
  return rows.map((row) => trackerRow(row, links.get(row.id) ?? 0))
}

export type TrackerDetail = TrackerRow & {
  /** As the kind's file in `packages/alerts/src/trackers` says; never the secret. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly updatedMs: number
  /** Where the tracker sends its webhooks. */
  readonly webhookUrl: string
}

/** Undefined: there is none in this organization. What settings say may name hosts inside a network. */
export async function trackerById(
  { records, publicUrl }: Deps,
  { orgId }: Grant<'integration:write', 'org'>,
  id: number,
): Promise<TrackerDetail | undefined> {
  const row = await selectConnections(records, orgId).where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const { count } = await records
    .selectFrom('tracker_link')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('connection_id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    ...trackerRow(row, count),
    settings: JSON.parse(row.settings) as Record<string, unknown>,
    updatedMs: row.updated_ms,
    webhookUrl: `${publicUrl}/api/0/trackers/${id}/webhook/`,
  }
}

type Row = Omit<Selectable<TrackerConnectionTable>, 'org_id' | 'secret' | 'created_by'>

const selectConnections = (records: QueryDeps['records'], orgId: number) =>
  records
    .selectFrom('tracker_connection')
    .select(['id', 'kind', 'name', 'settings', 'sync_in', 'sync_out', 'created_ms', 'updated_ms'])
    .select(['failing_since_ms', 'webhook_ms'])
    .where('org_id', '=', orgId)
    .orderBy('tracker_connection.name')
    .orderBy('id')

const trackerName = ({ id, kind, name, settings }: Row): TrackerName => ({
  id,
  kind,
  name,
  places: (JSON.parse(settings) as { readonly places?: readonly string[] }).places ?? [],
})

const trackerRow = (row: Row, links: number): TrackerRow => ({
  ...trackerName(row),
  isSyncedIn: row.sync_in === 1,
  isSyncedOut: row.sync_out === 1,
  createdMs: row.created_ms,
  failingSinceMs: row.failing_since_ms ?? undefined,
  webhookMs: row.webhook_ms ?? undefined,
  links,
})
