/** Where notifications go: the channels of an organization, what uses them, and what was delivered to each. */
import type { Grant } from '@sonde/access'
import { type ChannelKind, inProjects, type NotificationState, type ProjectScope } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

type Deps = Pick<QueryDeps, 'records'>
type ReadGrant = Grant<'alert:read', 'org' | 'project'>
/** What a channel's settings and answers say may name hosts inside a network: for those who set channels up. */
type ChangeGrant = Grant<'integration:write', 'org'>

export type ChannelName = { readonly id: number; readonly kind: ChannelKind; readonly name: string }

/** For whoever chooses where a rule tells: of the organization, by name. */
export async function channelNames({ records }: Deps, { orgId }: ReadGrant): Promise<readonly ChannelName[]> {
  return records
    .selectFrom('notification_channel')
    .select(['id', 'kind', 'name'])
    .where('org_id', '=', orgId)
    .orderBy('notification_channel.name')
    .orderBy('id')
    .execute()
}

export type RuleUsing = {
  readonly id: number
  readonly name: string
  readonly project: string
  readonly isEnabled: boolean
}

export type ChannelRow = ChannelName & {
  readonly createdMs: number
  /** Undefined: the last message was delivered, or there was none. */
  readonly failingSinceMs: number | undefined
  /** When it was last tried, and how that ended; undefined: never, or longer ago than notifications are kept. */
  readonly lastMs: number | undefined
  readonly lastState: NotificationState | undefined
  readonly rules: readonly RuleUsing[]
}

/** By name. */
export async function listChannels(
  { records }: Deps,
  grant: Grant<'alert:read', 'org'>,
): Promise<readonly ChannelRow[]> {
  const [rows, using] = await Promise.all([
    records
      .selectFrom('notification_channel')
      .leftJoin('notification as last', (join) =>
        join.on('last.id', '=', (eb) =>
          eb
            .selectFrom('notification as each')
            .select('each.id')
            .whereRef('each.channel_id', '=', 'notification_channel.id')
            .where('each.attempts', '>', 0)
            .orderBy('each.id', 'desc')
            .limit(1),
        ),
      )
      .select([
        'notification_channel.id',
        'notification_channel.kind',
        'notification_channel.name',
        'notification_channel.created_ms as createdMs',
      ])
      .select([
        'notification_channel.failing_since_ms',
        'last.state',
        'last.done_ms',
        'last.created_ms as queued_ms',
      ])
      .where('notification_channel.org_id', '=', grant.orgId)
      .orderBy('notification_channel.name')
      .orderBy('notification_channel.id')
      .execute(),
    rulesOf(records, grant),
  ])
  return rows.map(({ id, kind, name, createdMs, failing_since_ms, state, done_ms, queued_ms }) => ({
    id,
    kind,
    name,
    createdMs,
    failingSinceMs: failing_since_ms ?? undefined,
    lastMs: done_ms ?? queued_ms ?? undefined,
    lastState: state ?? undefined,
    rules: using.get(id) ?? [],
  }))
}

export type ChannelDetail = ChannelName & {
  /** As the kind's file in `packages/alerts/src/channels` says; never the secret. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly createdMs: number
  readonly updatedMs: number
  readonly failingSinceMs: number | undefined
  readonly rules: readonly RuleUsing[]
}

/** Undefined: there is none in this organization. */
export async function channelById(
  { records }: Deps,
  grant: ChangeGrant,
  channelId: number,
): Promise<ChannelDetail | undefined> {
  const row = await records
    .selectFrom('notification_channel')
    .select(['id', 'kind', 'name', 'settings', 'created_ms', 'updated_ms', 'failing_since_ms'])
    .where('id', '=', channelId)
    .where('org_id', '=', grant.orgId)
    .executeTakeFirst()
  if (!row) return undefined
  const using = await rulesOf(records, grant)
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    settings: JSON.parse(row.settings) as Record<string, unknown>,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
    failingSinceMs: row.failing_since_ms ?? undefined,
    rules: using.get(row.id) ?? [],
  }
}

export type Delivery = {
  readonly id: number
  readonly state: NotificationState
  readonly attempts: number
  readonly createdMs: number
  /** Of `waiting`: not before. */
  readonly nextAttemptMs: number
  readonly doneMs: number | undefined
  /** What the other side said the last time. */
  readonly answer: string
  /** By which the other side tells a repeat. */
  readonly key: string
  readonly headline: string
  readonly title: string
  readonly url: string
}

export type Deliveries = {
  readonly deliveries: readonly Delivery[]
  /** `beforeId` of the older ones; undefined: these were all. */
  readonly olderThan: number | undefined
}

const DELIVERIES_SHOWN = 25

/** Newest first. */
export async function channelDeliveries(
  { records }: Deps,
  grant: ChangeGrant,
  { channelId, beforeId }: { readonly channelId: number; readonly beforeId?: number | undefined },
): Promise<Deliveries> {
  const rows = await records
    .selectFrom('notification')
    .select(['id', 'state', 'attempts', 'created_ms', 'next_attempt_ms', 'done_ms', 'answer'])
    .select(['dedup_key', 'message'])
    .where('org_id', '=', grant.orgId)
    .where('channel_id', '=', channelId)
    .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId ?? 0))
    .orderBy('id', 'desc')
    .limit(DELIVERIES_SHOWN + 1)
    .execute()
  const shown = rows.slice(0, DELIVERIES_SHOWN)
  return {
    deliveries: shown.map((row) => {
      const { headline, title, url } = JSON.parse(row.message) as Pick<Delivery, 'headline' | 'title' | 'url'>
      return {
        id: row.id,
        state: row.state,
        attempts: row.attempts,
        createdMs: row.created_ms,
        nextAttemptMs: row.next_attempt_ms,
        doneMs: row.done_ms ?? undefined,
        answer: row.answer,
        key: row.dedup_key,
        headline,
        title,
        url,
      }
    }),
    olderThan: rows.length > DELIVERIES_SHOWN ? shown.at(-1)?.id : undefined,
  }
}

type Named = { readonly actions?: readonly { readonly type: string; readonly channelId?: number }[] }

/** By channel: the rules of the organization's projects that tell it. */
async function rulesOf(
  records: QueryDeps['records'],
  scope: ProjectScope,
): Promise<ReadonlyMap<number, readonly RuleUsing[]>> {
  const rows = await records
    .selectFrom('alert_rule')
    .innerJoin('project', 'project.id', 'alert_rule.project_id')
    .select(['alert_rule.id', 'alert_rule.name', 'alert_rule.value', 'alert_rule.is_enabled', 'project.slug'])
    .where(inProjects(scope))
    .where('alert_rule.value', 'like', '%"channelId":%')
    .orderBy('project.slug')
    .orderBy('alert_rule.name')
    .execute()
  const using = new Map<number, RuleUsing[]>()
  for (const { id, name, value, is_enabled, slug } of rows) {
    const { actions = [] } = JSON.parse(value) as Named
    for (const channelId of new Set(actions.map((action) => action.channelId))) {
      if (channelId === undefined) continue
      const rules = using.get(channelId) ?? []
      rules.push({ id, name, project: slug, isEnabled: is_enabled === 1 })
      using.set(channelId, rules)
    }
  }
  return using
}
