/** Whom an issue rule tells, in Sentry's words and in ours. Pure. */
import type { Action } from '@sonde/alerts'
import { WITHOUT_OWNERS, type WithoutOwners } from '@sonde/alerts/contract'
import type { TrackerKind } from '@sonde/stores'
import { channelAction, type Directory, memberOf, teamOf } from './directory.ts'
import { type FormItem, refuse, textOf } from './form.ts'
import type { ActionJson } from './item-schemas.ts'

const EMAIL = 'sentry.mail.actions.NotifyEmailAction'
const ALL_WEBHOOKS = 'sentry.rules.actions.notify_event.NotifyEventAction'
const SERVICE = 'sentry.rules.actions.notify_event_service.NotifyEventServiceAction'
const APP = 'sentry.rules.actions.notify_event_sentry_app.NotifyEventSentryAppAction'

/** Action → the kinds of our channels, and the fields that name one of them. */
const CHANNELS: ReadonlyMap<
  string,
  { readonly kinds: readonly string[]; readonly fields: readonly string[] }
> = new Map([
  [
    'sentry.integrations.slack.notify_action.SlackNotifyServiceAction',
    { kinds: ['slack', 'slack_app'], fields: ['workspace', 'channel'] },
  ],
  [
    'sentry.integrations.msteams.notify_action.MsTeamsNotifyServiceAction',
    { kinds: ['teams'], fields: ['team', 'channel'] },
  ],
  [
    'sentry.integrations.discord.notify_action.DiscordNotifyServiceAction',
    { kinds: ['discord'], fields: ['server', 'channel_id'] },
  ],
  [
    'sentry.integrations.pagerduty.notify_action.PagerDutyNotifyServiceAction',
    { kinds: ['pagerduty'], fields: ['account', 'service'] },
  ],
  [
    'sentry.integrations.opsgenie.notify_action.OpsgenieNotifyTeamAction',
    { kinds: ['opsgenie'], fields: ['account', 'team'] },
  ],
  [SERVICE, { kinds: ['webhook', 'sentry_webhook', 'mattermost', 'telegram', 'ntfy'], fields: ['service'] }],
  [APP, { kinds: ['sentry_webhook', 'webhook'], fields: ['sentryAppInstallationUuid'] }],
])

/** Sentry has the first and the third; the others are ours. */
const TICKETS: Readonly<Record<TrackerKind, string>> = {
  github: 'sentry.integrations.github.notify_action.GitHubCreateTicketAction',
  gitlab: 'sonde.integrations.gitlab.notify_action.GitLabCreateTicketAction',
  jira: 'sentry.integrations.jira.notify_action.JiraCreateTicketAction',
  linear: 'sonde.integrations.linear.notify_action.LinearCreateTicketAction',
}
const TICKET_KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries(TICKETS).map(([kind, id]) => [id, kind]),
)

/** Throws `InvalidInput` for whom nobody can tell. */
export function readActions(actions: readonly FormItem[], directory: Directory): readonly Action[] {
  const told = actions.flatMap((action) => actionsOf(action, directory))
  // One place is told once, whichever actions name it.
  return [...new Map(told.map((action) => [JSON.stringify(action), action])).values()]
}

function actionsOf(action: FormItem, directory: Directory): readonly Action[] {
  const { id } = action
  if (id === EMAIL) return [mailed(action, directory)]
  if (id === ALL_WEBHOOKS) {
    const webhooks = directory.channels.filter(({ kind }) => kind === 'webhook' || kind === 'sentry_webhook')
    if (webhooks.length === 0)
      refuse('actions', `${id} tells all webhooks: there is none yet. Make one under Settings, Channels`)
    return webhooks.map((channel) => ({ type: 'channel', channelId: channel.id }))
  }
  const ticket = TICKET_KINDS.get(id)
  if (ticket !== undefined) return [{ type: 'tracker', trackerId: trackerOf(directory, action, ticket) }]
  const known = CHANNELS.get(id)
  if (!known)
    return refuse(
      'actions',
      `${id} is not supported. Supported are ${[EMAIL, ALL_WEBHOOKS, ...CHANNELS.keys(), ...TICKET_KINDS.keys()].join(', ')}`,
    )
  const says = `${id}: ${known.fields.map((field) => `"${field}"`).join(', ')}`
  return [
    channelAction(
      directory,
      'actions',
      { kinds: known.kinds, says },
      known.fields.map((field) => textOf(action, field)),
    ),
  ]
}

/** By its id or name; without, the only one of its kind. Title, text and place are those of every issue that Sonde makes. */
function trackerOf({ trackers }: Directory, action: FormItem, kind: string): number {
  const own = trackers.filter((each) => each.kind === kind)
  const named = textOf(action, 'integration')
  const found =
    named === undefined
      ? own.length === 1
        ? own[0]
        : undefined
      : own.find(({ id, name }) => String(id) === named || name === named)
  if (found) return found.id
  const there = own.map(({ id, name }) => `${id} (${name})`).join(', ')
  return refuse(
    'actions',
    `${action.id}: "integration" names no ${kind} tracker: ${there === '' ? 'there is none yet. Connect one under Settings, Issue trackers' : `there are ${there}`}`,
  )
}

function mailed(action: FormItem, directory: Directory): Action {
  const target = textOf(action, 'targetType') ?? ''
  switch (target) {
    case 'AllMembers':
      return { type: 'members' }
    case 'IssueOwners':
      return { type: 'issue_owners', ...withoutOwners(textOf(action, 'fallthroughType')) }
    case 'Member':
      return { type: 'person', userId: memberOf(directory, 'actions', textOf(action, 'targetIdentifier')) }
    case 'RuleOwner':
      return { type: 'owner' }
    case 'Team':
      return { type: 'team', teamId: teamOf(directory, 'actions', textOf(action, 'targetIdentifier')) }
    default:
      return refuse('actions', `${EMAIL}: "targetType" is IssueOwners, AllMembers, Member, Team or RuleOwner`)
  }
}

const FALLTHROUGH = { members: 'AllMembers', active: 'ActiveMembers', nobody: 'NoOne' } as const

/** Who is told where nobody owns the issue. Absent: as the project's ownership says. */
function withoutOwners(text: string | undefined): { otherwise?: WithoutOwners } {
  if (text === undefined) return {}
  const otherwise = WITHOUT_OWNERS.find((each) => FALLTHROUGH[each] === text)
  if (!otherwise) refuse('actions', `${EMAIL}: "fallthroughType" is ${Object.values(FALLTHROUGH).join(', ')}`)
  return otherwise ? { otherwise } : {}
}

/** A channel or tracker that is gone is left out. */
export function actionItemsOf(
  actions: readonly Action[],
  { channels, trackers }: Directory,
): readonly ActionJson[] {
  return actions.flatMap((action): ActionJson[] => {
    if (action.type === 'members') return [{ id: EMAIL, targetType: 'AllMembers' }]
    if (action.type === 'owner') return [{ id: EMAIL, targetType: 'RuleOwner' }]
    if (action.type === 'issue_owners')
      return [
        {
          id: EMAIL,
          targetType: 'IssueOwners',
          ...(action.otherwise && { fallthroughType: FALLTHROUGH[action.otherwise] }),
        },
      ]
    if (action.type === 'person')
      return [{ id: EMAIL, targetType: 'Member', targetIdentifier: action.userId }]
    if (action.type === 'team')
      return [{ id: EMAIL, targetType: 'Team', targetIdentifier: String(action.teamId) }]
    if (action.type === 'tracker') {
      const tracker = trackers.find(({ id }) => id === action.trackerId)
      return tracker ? [{ id: TICKETS[tracker.kind], integration: String(tracker.id) }] : []
    }
    const channel = channels.find(({ id }) => id === action.channelId)
    const [id, known] = [...CHANNELS].find(([, { kinds }]) => channel && kinds.includes(channel.kind)) ?? []
    if (!channel || !known || id === undefined) return []
    const [byId = '', byName] = known.fields
    return [{ id, [byId]: String(channel.id), ...(byName !== undefined && { [byName]: channel.name }) }]
  })
}
