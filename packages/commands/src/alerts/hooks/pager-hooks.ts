/**
 * PagerDuty's webhooks (https://developer.pagerduty.com/docs/webhooks-overview) and Opsgenie's outgoing integration: what
 * somebody does to an incident there is done to it here. Incidents are told apart by the key that we gave them.
 */
import { endIncident, incidentOfPagerKey, noteAcknowledged } from '@sonde/alerts'
import { writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAuditOf } from '../../audit.ts'
import { InvalidInput, readInput } from '../../fields.ts'
import type { Hook, HookChannel, HookDeps } from './hook.ts'
import { hmacHex, isSame, textOf } from './proof.ts'

/** PagerDuty signs with several secrets while one is replaced. */
const MAX_SIGNATURES = 10

export const PAGERDUTY_HOOK: Hook = {
  verify(secret, { headers, body }) {
    const key = textOf(secret, 'webhookSecret')
    if (key === undefined) return false
    const expected = `v1=${hmacHex(key, body)}`
    const given = (headers.get('x-pagerduty-signature') ?? '').split(',', MAX_SIGNATURES)
    return given.filter((signature) => isSame(signature.trim(), expected)).length > 0
  },
  async act(deps, channel, body) {
    const { event } = readJson('read a webhook of PagerDuty', PAGERDUTY, body)
    const change = PAGERDUTY_CHANGES[event.event_type]
    const { incident_key: key } = event.data
    if (change && key) await changeIncident(deps, channel, { change, key, by: event.agent?.summary ?? '' })
  },
}

const who = z.string().transform((text) => text.slice(0, 200))
const PAGERDUTY = z.object({
  event: z.object({
    event_type: z.string(),
    agent: z.object({ summary: who.nullish() }).nullish(),
    data: z.object({ incident_key: z.string().nullish() }),
  }),
})

type Change = 'acknowledge' | 'unacknowledge' | 'resolve'

const PAGERDUTY_CHANGES: Readonly<Record<string, Change | undefined>> = {
  'incident.acknowledged': 'acknowledge',
  'incident.unacknowledged': 'unacknowledge',
  'incident.resolved': 'resolve',
}

const OPSGENIE_TOKEN_HEADER = 'x-sonde-token'

export const OPSGENIE_HOOK: Hook = {
  verify(secret, { headers }) {
    const token = textOf(secret, 'webhookToken')
    return token !== undefined && isSame(headers.get(OPSGENIE_TOKEN_HEADER) ?? '', token)
  },
  async act(deps, channel, body) {
    const { action, alert } = readJson('read a webhook of Opsgenie', OPSGENIE, body)
    const change = OPSGENIE_CHANGES[action.toLowerCase()]
    if (change && alert.alias)
      await changeIncident(deps, channel, { change, key: alert.alias, by: alert.username ?? '' })
  },
}

const OPSGENIE = z.object({
  action: z.string().max(100),
  alert: z.object({ alias: z.string().nullish(), username: who.nullish() }),
})

const OPSGENIE_CHANGES: Readonly<Record<string, Change | undefined>> = {
  acknowledge: 'acknowledge',
  unacknowledge: 'unacknowledge',
  close: 'resolve',
}

function readJson<Schema extends z.ZodType>(
  operation: string,
  schema: Schema,
  body: string,
): z.output<Schema> {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new InvalidInput(operation, { detail: ['JSON is needed'] })
  }
  return readInput(operation, schema, value as z.input<Schema>)
}

type Changing = { readonly change: Change; readonly key: string; readonly by: string }

/**
 * Of an incident that this channel was told of; anything else there is none of ours. What is done already stays as it is, so the
 * echo of what we told them ends here.
 */
async function changeIncident(
  { records, clock, access }: HookDeps,
  { id: channelId, orgId, orgSlug }: HookChannel,
  { change, key, by }: Changing,
): Promise<void> {
  const incidentId = incidentOfPagerKey(key)
  if (incidentId === undefined) return
  const atMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    const incident = await tx
      .selectFrom('incident')
      .innerJoin('project', 'project.id', 'incident.project_id')
      .select(['incident.id', 'incident.resolved_ms', 'project.slug'])
      .where('incident.id', '=', incidentId)
      .where('project.org_id', '=', orgId)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('notification')
            .select('notification.id')
            .whereRef('notification.incident_id', '=', 'incident.id')
            .where('notification.channel_id', '=', channelId),
        ),
      )
      .executeTakeFirst()
    if (!incident || incident.resolved_ms !== null) return
    const actor = `channel:${channelId}`
    const done = { by: actor, exceptChannelId: channelId }
    let isChanged = true
    if (change === 'acknowledge') isChanged = await noteAcknowledged(tx, incidentId, atMs, done)
    else if (change === 'resolve')
      await endIncident(tx, { publicUrl: access.publicUrl, mailer: undefined }, incidentId, atMs, done)
    else {
      const changed = await tx
        .updateTable('incident')
        .set({ acknowledged_ms: null, acknowledged_by: '' })
        .where('id', '=', incidentId)
        .where('acknowledged_ms', 'is not', null)
        .returning('id')
        .execute()
      isChanged = changed.length > 0
    }
    if (!isChanged) return
    await writeAuditOf(tx, {
      orgId,
      actor,
      action: `incident.${change}`,
      subject: `${orgSlug}/${incident.slug}`,
      detail: { incidentId, ...(by !== '' && { by }) },
      atMs,
    })
  })
}
