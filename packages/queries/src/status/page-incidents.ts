/** Incidents and maintenance of a status page with their updates. */
import type { Records, StatusImpact, StatusIncidentKind, StatusIncidentState } from '@sonde/stores'

export type StatusIncident = {
  readonly id: number
  readonly kind: StatusIncidentKind
  readonly title: string
  readonly impact: StatusImpact
  readonly state: StatusIncidentState
  /** Of maintenance: when it is planned to begin, and to end. */
  readonly startedMs: number
  readonly plannedEndMs: number | null
  readonly endedMs: number | null
  readonly components: readonly { readonly id: number; readonly name: string }[]
  /** The newest first. */
  readonly updates: readonly {
    readonly id: number
    readonly state: StatusIncidentState
    readonly body: string
    readonly atMs: number
  }[]
}

type Which = {
  readonly isOpen?: boolean
  /** Older than this one. */
  readonly before?: number | undefined
  readonly limit?: number
}

const MOST = 50

/** The newest first, at most 50 unless told. Without those that were taken off the page. */
export async function incidentsOfPage(
  records: Records,
  pageId: number,
  { isOpen, before, limit = MOST }: Which,
): Promise<readonly StatusIncident[]> {
  const rows = await records
    .selectFrom('status_incident')
    .select(['id', 'kind', 'title', 'impact', 'state', 'started_ms', 'planned_end_ms', 'ended_ms'])
    .where('page_id', '=', pageId)
    .where('is_hidden', '=', 0)
    .$if(isOpen === true, (query) => query.where('ended_ms', 'is', null))
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [updates, affected] = await Promise.all([
    records
      .selectFrom('status_update')
      .select(['id', 'incident_id', 'state', 'body', 'at_ms'])
      .where('incident_id', 'in', ids)
      .orderBy('id', 'desc')
      .execute(),
    records
      .selectFrom('status_affected')
      .innerJoin('status_component', 'status_component.id', 'status_affected.component_id')
      .select(['status_affected.incident_id', 'status_component.id', 'status_component.name'])
      .where('status_affected.incident_id', 'in', ids)
      .orderBy('status_component.position')
      .execute(),
  ])
  const updatesOf = Map.groupBy(updates, ({ incident_id: id }) => id)
  const affectedOf = Map.groupBy(affected, ({ incident_id: id }) => id)
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    title: row.title,
    impact: row.impact,
    state: row.state,
    startedMs: row.started_ms,
    plannedEndMs: row.planned_end_ms,
    endedMs: row.ended_ms,
    components: (affectedOf.get(row.id) ?? []).map(({ id, name }) => ({ id, name })),
    updates: (updatesOf.get(row.id) ?? []).map(({ id, state, body, at_ms: atMs }) => ({
      id,
      state,
      body,
      atMs,
    })),
  }))
}
