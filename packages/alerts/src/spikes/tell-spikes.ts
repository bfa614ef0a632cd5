/**
 * Tells that a spike began and that it ended, each once: the notifications are written in the transaction that says so in the
 * row of the spike.
 */
import type { Clock } from '@sonde/base'
import { type Spike, spikeOf } from '@sonde/queries'
import { type Records, writeTransaction } from '@sonde/stores'
import { sql } from 'kysely'
import { headlineOf, type Message } from '../messages/message.ts'
import { placesOf } from '../outbox/places.ts'
import { queueNotifications } from '../outbox/queue.ts'
import { type Action, RULES } from '../rules/rule.ts'

export type TellDeps = {
  readonly records: Records
  readonly clock: Clock
  readonly publicUrl: string
  readonly mailer: unknown
  /** Age of the oldest event that was received and is not stored yet. */
  readonly lagMs: () => Promise<number>
}

/** Nothing was left out for so long: it is over. A flood with pauses is one spike. */
export const SPIKE_QUIET_MS = 10 * 60_000

const selectUntold = (records: Records) =>
  records
    .selectFrom('spike')
    .innerJoin('project', 'project.id', 'spike.project_id')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .selectAll('spike')
    .select(['project.slug as project_slug', 'project.org_id', 'organization.slug as org_slug'])
    .where('spike.told', '<', 2)
type Row = Awaited<ReturnType<ReturnType<typeof selectUntold>['execute']>>[number]

/** As `Job.dueMs`: when one that began or is over is to be told. One look at a small index. */
export async function nextSpikeMs({ records }: Pick<TellDeps, 'records'>): Promise<number | undefined> {
  const row = await records
    .selectFrom('spike')
    .select((eb) => eb.fn.min('last_ms').as('last'))
    .select((eb) =>
      eb.fn
        .min(
          eb
            .case()
            .when(eb.or([eb('told', '=', 0), eb('ended_ms', 'is not', null)]))
            .then(sql.lit(0))
            .else(sql.lit(1))
            .end(),
        )
        .as('waits'),
    )
    .where('told', '<', 2)
    .executeTakeFirst()
  if (typeof row?.last !== 'number') return undefined
  return row.waits === 0 ? 0 : row.last + SPIKE_QUIET_MS + 1
}

/** Returns how many beginnings and ends it told. */
export async function tellSpikes(deps: TellDeps): Promise<number> {
  const { records, clock } = deps
  const quietMs = clock.nowMs() - SPIKE_QUIET_MS - (await deps.lagMs())
  await records
    .updateTable('spike')
    .set((eb) => ({ ended_ms: eb.ref('last_ms') }))
    .where('ended_ms', 'is', null)
    .where('last_ms', '<', quietMs)
    .execute()
  const ids = await selectUntold(records).orderBy('spike.id').execute()
  let told = 0
  for (const { id } of ids) told += await writeTransaction(records, (tx) => tellOne(tx, deps, id))
  return told
}

async function tellOne(tx: Records, deps: TellDeps, id: number): Promise<number> {
  const row = await selectUntold(tx).where('spike.id', '=', id).executeTakeFirst()
  if (!row) return 0
  const steps = [row.told < 1 ? 'begin' : undefined, row.ended_ms === null ? undefined : 'end'] as const
  const nowMs = deps.clock.nowMs()
  let told = 0
  for (const step of steps) {
    if (step === undefined) continue
    const message = messageOf(deps, row, step)
    const places = await placesOf(tx, {
      orgId: row.org_id,
      projectId: row.project_id,
      kind: message.kind,
      ownerId: undefined,
      actions: [
        { type: 'members' },
        ...(await channelsOfRules(tx, row.project_id)),
        ...(await spikeActions(tx, row)),
      ],
      hasMail: deps.mailer !== undefined,
      nowMs,
    })
    const owner = { orgId: row.org_id, projectId: row.project_id, incidentId: null }
    await queueNotifications(tx, places, { key: `spike:${id}:${step}`, message, ...owner }, nowMs)
    told++
  }
  if (told > 0)
    await tx
      .updateTable('spike')
      .set({ told: row.ended_ms === null ? 1 : 2 })
      .where('id', '=', id)
      .execute()
  return told
}

/** Where the project's rules tell anything at all. What cannot be read names no channel. */
async function channelsOfRules(tx: Records, projectId: number): Promise<readonly Action[]> {
  const rules = await tx
    .selectFrom('alert_rule')
    .select(['kind', 'value'])
    .where('project_id', '=', projectId)
    .where('is_enabled', '=', 1)
    .execute()
  return rules.flatMap(({ kind, value }) => {
    const read = RULES[kind].safeParse(JSON.parse(value))
    return read.success ? read.data.actions.filter(({ type }) => type === 'channel') : []
  })
}

/** Whom the organization named for it, of all projects or of this one. */
async function spikeActions(tx: Records, { org_id, project_id }: Row): Promise<readonly Action[]> {
  const rows = await tx
    .selectFrom('notification_action as action')
    .leftJoin('notification_action_project as of', 'of.action_id', 'action.id')
    .select(['action.channel_id', 'action.user_id'])
    .where('action.org_id', '=', org_id)
    .where('action.trigger_type', '=', 'spike-protection')
    .where((eb) => eb.or([eb('of.project_id', 'is', null), eb('of.project_id', '=', project_id)]))
    .execute()
  return rows.map(({ channel_id: channelId, user_id: userId }): Action => {
    if (channelId !== null) return { type: 'channel', channelId }
    return userId === null ? { type: 'members' } : { type: 'person', userId }
  })
}

const timesText = ({ timesUsual }: Spike): string =>
  timesUsual === undefined ? 'far more than' : `${timesUsual.toLocaleString('en-US')} times`

function messageOf({ publicUrl }: TellDeps, row: Row, step: 'begin' | 'end'): Message {
  const { org_slug: org, project_slug: project } = row
  const spike = spikeOf(row)
  const kind = step === 'begin' ? 'spike' : 'resolved'
  const name = project.toUpperCase()
  const counted = spike.kept + spike.sampled
  return {
    kind,
    headline: step === 'begin' ? headlineOf('spike', `${org}/${project}`) : `Spike over in ${org}/${project}`,
    title:
      step === 'begin'
        ? `${name} gets ${timesText(spike)} its usual events: some are sampled, counts stay exact`
        : `${name} is back to its usual rate: ${spike.sampled} of ${counted} events were only counted`,
    place: '',
    level: step === 'begin' ? 'warning' : 'info',
    facts: [
      ['Since', new Date(spike.startedMs).toISOString()],
      ...(spike.endedMs === undefined ? [] : [['Until', new Date(spike.endedMs).toISOString()] as const]),
      ['Usual', `${spike.usualPerHour} per hour`],
      ['Peak', `${spike.peakPerMinute} per minute`],
      ['Stored', `1 in ${spike.storedOneIn}`],
    ],
    url: `${publicUrl}/${org}/${project}/issues`,
    org,
    project,
    series: `sonde-spike-${spike.id}`,
    atMs: step === 'begin' ? spike.startedMs : (spike.endedMs ?? spike.startedMs),
  }
}
