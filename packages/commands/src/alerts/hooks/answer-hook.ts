/**
 * What the other programs of channels tell us: somebody pressed a button in Slack, or acknowledged or resolved an incident in a
 * pager. Anybody may send here, so the proof that it comes from there is checked before a byte of it is read as anything.
 */
import type { ChannelKind } from '@sonde/stores'
import type { Hook, HookChannel, HookDeps, HookRequest } from './hook.ts'
import { OPSGENIE_HOOK, PAGERDUTY_HOOK } from './pager-hooks.ts'
import { createSlackHook } from './slack-hook.ts'

type AnswerHook = (
  channelId: number,
  request: HookRequest,
) => Promise<{ readonly isTaken: false } | { readonly isTaken: true; readonly done: Promise<object | void> }>

/**
 * `isTaken: false`: there is no such channel, it takes nothing, or whoever sends cannot prove who it is: nobody outside
 * is told which. `done` throws like `Hook.act`; what else fails then is logged and thrown.
 */
export function createAnswerHook(deps: HookDeps): AnswerHook {
  const hooks: Partial<Record<ChannelKind, Hook>> = {
    slack_app: createSlackHook(deps.clock),
    pagerduty: PAGERDUTY_HOOK,
    opsgenie: OPSGENIE_HOOK,
  }
  return async (channelId, request) => {
    const found = await openChannel(deps, channelId)
    const hook = found && hooks[found.kind]
    if (!found || !hook?.verify(found.channel.secret, request, deps.clock.nowMs())) return { isTaken: false }
    const body = Buffer.from(request.body).toString('utf8')
    return { isTaken: true, done: hook.act(deps, found.channel, body) }
  }
}

async function openChannel({ records, access }: HookDeps, channelId: number) {
  const row = await records
    .selectFrom('notification_channel')
    .innerJoin('organization', 'organization.id', 'notification_channel.org_id')
    .select(['notification_channel.id', 'notification_channel.kind', 'notification_channel.secret'])
    .select(['organization.id as orgId', 'organization.slug as orgSlug', 'organization.name as orgName'])
    .where('notification_channel.id', '=', channelId)
    .executeTakeFirst()
  if (!row) return undefined
  const { kind, secret: sealed, ...rest } = row
  try {
    const secret = JSON.parse(await access.seal.open(sealed)) as HookChannel['secret']
    return { kind, channel: { ...rest, secret } satisfies HookChannel }
  } catch {
    // Written with a key that is gone.
    return undefined
  }
}
