/**
 * A status page as JSON, in the shape that programs know from Statuspage's `summary.json` (https://metastatuspage.com/api). Of ours
 * alone are the states `unknown`: nothing is measured.
 */
import type { StatusIncident, StatusPage } from '@sonde/queries'
import { paths } from '../../paths.ts'
import { INDICATOR_WORDS } from './status-text.server.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

export function statusSummary(page: StatusPage, publicUrl: string) {
  const url = publicUrl + paths.publicStatus(page.slug)
  const components = page.components.map(({ id, name, group, state }, position) => ({
    id: String(id),
    name,
    status: state,
    position: position + 1,
    group_name: group === '' ? null : group,
  }))
  const incident = (each: StatusIncident) => ({
    id: String(each.id),
    name: each.title,
    status: each.state === 'done' ? 'completed' : each.state,
    impact: each.kind === 'maintenance' ? 'maintenance' : each.impact,
    started_at: iso(each.startedMs),
    resolved_at: each.endedMs === null ? null : iso(each.endedMs),
    updated_at: iso(each.updates[0]?.atMs ?? each.startedMs),
    shortlink: `${publicUrl}${paths.statusHistory(page.slug)}#incident-${each.id}`,
    components: components.filter(({ id }) => each.components.some((affected) => String(affected.id) === id)),
    incident_updates: each.updates.map(({ id, state, body, atMs }) => ({
      id: String(id),
      status: state === 'done' ? 'completed' : state,
      body,
      created_at: iso(atMs),
    })),
  })
  return {
    page: { id: page.slug, name: page.title, url, time_zone: 'Etc/UTC' },
    status: { indicator: page.indicator, description: INDICATOR_WORDS[page.indicator] },
    components,
    incidents: page.incidents.map(incident),
    scheduled_maintenances: page.maintenance.map((each) => ({
      ...incident(each),
      scheduled_for: iso(each.startedMs),
      scheduled_until: each.plannedEndMs === null ? null : iso(each.plannedEndMs),
    })),
  }
}
