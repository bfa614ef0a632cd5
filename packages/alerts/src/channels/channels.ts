/** All kinds of channels. A new one is a file beside this, a line here, and its kind in `CHANNEL_KINDS` of the records. */
import type { Seal } from '@sonde/access'
import { SondeError } from '@sonde/base'
import type { Outgoing } from '@sonde/outgoing'
import type { ChannelKind, NotificationChannelTable, Selectable } from '@sonde/stores'
import type { AnyChannel, Delivery, DeliveryResult } from './channel.ts'
import { DISCORD } from './discord.ts'
import { MATTERMOST } from './mattermost.ts'
import { NTFY } from './ntfy.ts'
import { OPSGENIE } from './opsgenie.ts'
import { PAGERDUTY } from './pagerduty.ts'
import { SENTRY_WEBHOOK } from './sentry-webhook.ts'
import { SLACK_APP } from './slack-app.ts'
import { SLACK } from './slack.ts'
import { TEAMS } from './teams.ts'
import { TELEGRAM } from './telegram.ts'
import { WEBHOOK } from './webhook.ts'

export const CHANNELS: Readonly<Record<ChannelKind, AnyChannel>> = {
  slack: SLACK,
  slack_app: SLACK_APP,
  discord: DISCORD,
  teams: TEAMS,
  mattermost: MATTERMOST,
  telegram: TELEGRAM,
  pagerduty: PAGERDUTY,
  opsgenie: OPSGENIE,
  ntfy: NTFY,
  webhook: WEBHOOK,
  sentry_webhook: SENTRY_WEBHOOK,
}

export const isPager = (kind: ChannelKind | null): boolean =>
  kind !== null && CHANNELS[kind]?.isPager === true

export type ChannelDeps = { readonly outgoing: Outgoing; readonly seal: Seal }

type ChannelRow = Pick<Selectable<NotificationChannelTable>, 'kind' | 'settings' | 'secret'>

export async function deliverToChannel(
  { outgoing, seal }: ChannelDeps,
  { kind, settings, secret }: ChannelRow,
  delivery: Delivery,
): Promise<DeliveryResult> {
  const channel = CHANNELS[kind]
  if (!channel)
    return { isDelivered: false, answer: `this version knows no channel of the kind ${kind}`, again: 'never' }
  let opened: string
  try {
    opened = await seal.open(secret)
  } catch {
    const answer = 'its secret was written with another key of the installation: enter it again'
    return { isDelivered: false, answer, again: 'never' }
  }
  return channel.deliver(
    outgoing,
    channel.settings.parse(JSON.parse(settings)),
    channel.secret.parse(JSON.parse(opened)),
    delivery,
  )
}

/** For whoever reads settings of a kind that came from a form. Throws `SondeError` (`invalid`). */
export function channelOf(kind: string): AnyChannel {
  const channel = (CHANNELS as Readonly<Record<string, AnyChannel | undefined>>)[kind]
  if (channel) return channel
  throw new SondeError('invalid', `there is no channel of the kind "${kind}"`, {
    operation: 'read a channel',
  })
}
