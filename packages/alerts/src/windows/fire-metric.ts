/** What the values of windows mean for the incident of a metric rule: it opens, it goes on, or it is over. */
import type { Records } from '@sonde/stores'
import { headlineOf, type Message } from '../messages/message.ts'
import { placesOf } from '../outbox/places.ts'
import { channelsTold, queueNotifications } from '../outbox/queue.ts'
import type { MetricRule } from '../rules/rule.ts'
import { judge, type Judgement } from './judge.ts'
import { measureText, valueText } from './value-text.ts'

type FireDeps = { readonly publicUrl: string; readonly mailer: unknown }

export type MetricStep = {
  /** The end of the window. */
  readonly toMs: number
  readonly now: Parameters<typeof judge>[1]
  readonly past: Parameters<typeof judge>[2]
}

export type RuleRow = {
  readonly id: number
  readonly name: string
  readonly project_id: number
  readonly project_slug: string
  readonly org_id: number
  readonly org_slug: string
}

/** The windows in order. `openId`: of the incident that the rule has by now. */
export async function fireMetric(
  tx: Records,
  deps: FireDeps,
  row: RuleRow,
  rule: MetricRule,
  steps: readonly MetricStep[],
  openId: number | undefined,
  nowMs: number,
): Promise<void> {
  let open = openId
  for (const { toMs, now, past } of steps) {
    const judged = judge(rule, now, past, open !== undefined)
    if (judged.state === 'firing' && open === undefined)
      open = await openIncident(tx, deps, row, rule, judged, toMs, nowMs)
    if (judged.state === 'calm' && open !== undefined) {
      await endIncident(tx, deps, row, rule, judged, open, toMs, nowMs)
      open = undefined
    }
  }
}

async function openIncident(
  tx: Records,
  deps: FireDeps,
  row: RuleRow,
  rule: MetricRule,
  judged: Judgement,
  toMs: number,
  nowMs: number,
): Promise<number> {
  const { id: incidentId } = await tx
    .insertInto('incident')
    .values({
      project_id: row.project_id,
      rule_id: row.id,
      rule_name: row.name,
      issue_id: null,
      dedup_key: `metric:${row.id}:${toMs}`,
      cause: JSON.stringify({ kind: 'metric', ...judged, toMs, rule }),
      started_ms: toMs,
      fired_ms: nowMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const told = await placesOf(tx, {
    ...ownerOf(row),
    kind: 'metric',
    actions: rule.actions,
    ownerId: rule.ownerId,
    hasMail: deps.mailer !== undefined,
    nowMs,
  })
  const message = messageOf(deps, row, rule, judged, 'metric', incidentId, toMs)
  const key = `incident:${incidentId}`
  await queueNotifications(tx, told, { key, message, incidentId, ...ownerOf(row) }, nowMs)
  return incidentId
}

async function endIncident(
  tx: Records,
  deps: FireDeps,
  row: RuleRow,
  rule: MetricRule,
  judged: Judgement,
  incidentId: number,
  toMs: number,
  nowMs: number,
): Promise<void> {
  await tx
    .updateTable('incident')
    .set({ resolved_ms: toMs, resolved_by: 'rule' })
    .where('id', '=', incidentId)
    .execute()
  const told = await channelsTold(tx, incidentId)
  const message = messageOf(deps, row, rule, judged, 'resolved', incidentId, toMs)
  const key = `incident:${incidentId}:resolved`
  await queueNotifications(tx, told, { key, message, incidentId, ...ownerOf(row) }, nowMs)
}

const ownerOf = ({ org_id, project_id }: RuleRow) => ({ orgId: org_id, projectId: project_id })

function messageOf(
  { publicUrl }: FireDeps,
  { id, name, org_slug: org, project_slug: project }: RuleRow,
  rule: MetricRule,
  { value, threshold }: Judgement,
  kind: 'metric' | 'resolved',
  incidentId: number,
  atMs: number,
): Message {
  const { metric, compare, direction, windowMinutes, environment } = rule
  const shown = (number: number | null): string =>
    number === null ? 'unknown' : compare === 'change' ? `${Math.round(number)} %` : valueText(metric, number)
  const facts: (readonly [string, string])[] = [
    [compare === 'change' ? 'Change in a week' : 'Value', shown(value)],
    [direction === 'above' ? 'Allowed up to' : 'Allowed down to', shown(threshold)],
    ['Within', `${windowMinutes} min`],
    ['Environment', environment],
    ['Search', metric.search],
  ]
  return {
    kind,
    headline: headlineOf(kind, `${org}/${project}`),
    title: `${name}: ${measureText(metric)} is ${shown(value)}`,
    place: '',
    level: kind === 'resolved' ? 'info' : 'error',
    facts: facts.filter(([, text]) => text !== ''),
    url: `${publicUrl}/${org}/${project}/alerts/incidents/${incidentId}`,
    org,
    project,
    rule: { id, name },
    incidentId,
    atMs,
  }
}
