/** `sonde alert …`: alert rules, for scripts. */
import { type Grant, operatorViewer } from '@sonde/access'
import type { IssueTriggerType } from '@sonde/alerts'
import { type CommandInput, print, readProjectPath, UsageError } from '@sonde/cli'
import { type CommandDeps, createAlertRule, createChannel, type CreatedChannel } from '@sonde/commands'
import { withCommands } from './with-commands.ts'

/** As Sentry's alerts call them. */
const TYPES = {
  new_issue: 'new',
  regression: 'regressed',
  reopened: 'reopened',
  first_seen_in_release: 'first_seen_in_release',
  first_seen_in_environment: 'first_seen_in_environment',
} as const satisfies Readonly<Record<string, IssueTriggerType>>

/** `sonde alert create`: a rule, and the channel that it tells. Without one everybody in the organization is told. */
export async function create({ need, text, flag }: CommandInput): Promise<number> {
  const [org, slug] = readProjectPath(need('project'))
  const triggers = need('type').split(',').map(triggerOf)
  const name = text('name') ?? need('type').replaceAll('_', ' ').replaceAll(',', ', ')
  return withCommands(async (deps) => {
    const { access } = deps
    const project = await access.openProject(operatorViewer, org, slug, 'alert:write')
    const channel = await channelOf(
      deps,
      await access.openOrg(operatorViewer, org, 'integration:write'),
      text,
    )
    const actions = [
      ...(channel ? [{ type: 'channel' as const, channelId: channel.id }] : []),
      ...(flag('members') || !channel ? [{ type: 'members' as const }] : []),
    ]
    const rule = { triggers, actions, search: text('search') ?? '' }
    const { id } = await createAlertRule(deps, project, { name, kind: 'issue', rule })
    const signingSecret = channel?.signingSecret
    if (flag('json')) print(JSON.stringify({ id: String(id), name, channelId: channel?.id, signingSecret }))
    else {
      print(`Created the alert rule "${name}" of ${org}/${slug}.`)
      if (signingSecret)
        print(
          `Signing secret  ${signingSecret}\nIt is shown only now: the receiver checks signatures with it.`,
        )
    }
    return 0
  })
}

function triggerOf(text: string): { readonly type: (typeof TYPES)[keyof typeof TYPES] } {
  const type = (TYPES as Readonly<Record<string, (typeof TYPES)[keyof typeof TYPES] | undefined>>)[
    text.trim()
  ]
  if (type) return { type }
  throw new UsageError(`--type is one of ${Object.keys(TYPES).join(', ')}, or several with commas`)
}

async function channelOf(
  deps: CommandDeps,
  grant: Grant<'integration:write', 'org'>,
  text: CommandInput['text'],
): Promise<CreatedChannel | undefined> {
  const [webhook, slack] = [text('webhook'), text('slack')]
  if (webhook !== undefined && slack !== undefined) throw new UsageError('--webhook or --slack, not both')
  if (webhook !== undefined)
    return createChannel(deps, grant, { kind: 'webhook', name: hostOf(webhook), settings: { url: webhook } })
  if (slack !== undefined)
    return createChannel(deps, grant, { kind: 'slack', name: 'Slack', secret: { url: slack } })
  return undefined
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url).slice(0, 100)
