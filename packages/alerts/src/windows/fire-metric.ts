/** What the value of one window means for the incident of a metric rule: it opens, it goes on, or it is over. */
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

export async function fireMetric(
  tx: Records,
  deps: FireDeps,
  row: RuleRow,
  rule: MetricRule,
  { toMs, now, past }: MetricStep,
  nowMs: number,
): Promise<void> {
  const open = await tx
    .selectFrom('incident')
    .select('id')
    .where('rule_id', '=', row.id)
    .where('resolved_ms', 'is', null)
    .executeTakeFirst()
  const judged = judge(rule, now, past, open !== undefined)
  if (judged.state === 'firing' && !open) {
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
      hasMail: deps.mailer !== undefined,
      nowMs,
    })
    const message = messageOf(deps, row, rule, judged, 'metric', incidentId, toMs)
    await queueNotifications(
      tx,
      told,
      { key: `incident:${incidentId}`, message, incidentId, ...ownerOf(row) },
      nowMs,
    )
  }
  if (judged.state === 'calm' && open) {
    await tx
      .updateTable('incident')
      .set({ resolved_ms: toMs, resolved_by: 'rule' })
      .where('id', '=', open.id)
      .execute()
    const told = await channelsTold(tx, open.id)
    const message = messageOf(deps, row, rule, judged, 'resolved', open.id, toMs)
    const key = `incident:${open.id}:resolved`
    await queueNotifications(tx, told, { key, message, incidentId: open.id, ...ownerOf(row) }, nowMs)
  }
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
  const { metric, compare, direction, windowMinutes } = rule
  const shown = (number: number | null): string =>
    number === null ? 'unknown' : compare === 'change' ? `${Math.round(number)} %` : valueText(metric, number)
  const facts: (readonly [string, string])[] = [
    [compare === 'change' ? 'Change in a week' : 'Value', shown(value)],
    [direction === 'above' ? 'Allowed up to' : 'Allowed down to', shown(threshold)],
    ['Within', `${windowMinutes} min`],
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
