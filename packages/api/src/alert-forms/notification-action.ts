/** Whom spikes are told, as Sentry's API reads and writes it. https://docs.sentry.io/api/alerts/create-a-spike-protection-notification-action/ */
import type { CreateNotificationActionInput } from '@sonde/commands'
import type { NotificationActionRow } from '@sonde/queries'
import type { JsonBody } from '../json-body.ts'
import { channelAction, type Directory, memberOf } from './directory.ts'
import { refuse, textOf } from './form.ts'

type Form = {
  readonly serviceType: string
  readonly integrationId: number | null
  readonly targetIdentifier: string | null
  readonly targetDisplay: string | null
}

const TRIGGER = 'spike-protection'
const SERVICES = ['email', 'sentry_notification', 'slack', 'pagerduty', 'opsgenie'] as const

/** Which of our fields is called otherwise there. */
export const NOTIFICATION_NAMES = {
  trigger: 'triggerType',
  channelId: 'integrationId',
  userId: 'targetIdentifier',
  projectIds: 'projects',
} as const

/** Throws `InvalidInput`. `projects`: of the organization, by slug. */
export function readNotificationBody(
  body: JsonBody,
  directory: Directory,
  projects: ReadonlyMap<string, number>,
): CreateNotificationActionInput {
  // The documentation writes it in one way, the answers in the other.
  const field = (camel: string, snake: string): unknown => body.value(camel) ?? body.value(snake)
  const text = (camel: string, snake: string) => textOf({ it: field(camel, snake) }, 'it')
  const trigger = text('triggerType', 'trigger_type')
  if (trigger !== TRIGGER) refuse('triggerType', `is ${TRIGGER}: nothing else is told without a rule`)
  const serviceType = text('serviceType', 'service_type') ?? ''
  if (!SERVICES.some((service) => service === serviceType))
    refuse('serviceType', `is one of ${SERVICES.join(', ')}`)
  const integrationId = text('integrationId', 'integration_id')
  const form: Form = {
    serviceType,
    integrationId: integrationId === undefined ? null : Number(integrationId),
    targetIdentifier: text('targetIdentifier', 'target_identifier') ?? null,
    targetDisplay: text('targetDisplay', 'target_display') ?? null,
  }
  return {
    trigger: TRIGGER,
    ...placeOf(form, directory),
    projectIds: projectsOf(body.value('projects'), projects),
    apiForm: JSON.stringify(form),
  }
}

function placeOf(
  { serviceType, integrationId, targetIdentifier, targetDisplay }: Form,
  directory: Directory,
): Pick<CreateNotificationActionInput, 'channelId' | 'userId'> {
  const target = targetIdentifier ?? undefined
  if (serviceType === 'email' || serviceType === 'sentry_notification') {
    if (target === undefined || target === 'default') return {}
    return { userId: memberOf(directory, 'targetIdentifier', target) }
  }
  const names = [
    integrationId === null ? undefined : String(integrationId),
    target,
    targetDisplay ?? undefined,
  ]
  const action = channelAction(
    directory,
    'integrationId',
    {
      kinds: serviceType === 'slack' ? ['slack', 'slack_app'] : [serviceType],
      says: '"integrationId", "targetIdentifier"',
    },
    names,
  )
  return action.type === 'channel' ? { channelId: action.channelId } : {}
}

function projectsOf(value: unknown, projects: ReadonlyMap<string, number>): number[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return refuse('projects', 'is a list of slugs')
  return value.map(
    (slug: unknown) =>
      projects.get(String(slug)) ?? refuse('projects', `there is no project ${String(slug)}`),
  )
}

export function notificationJson(row: NotificationActionRow, orgId: number) {
  const form = JSON.parse(row.apiForm) as Form
  return {
    id: String(row.id),
    organizationId: String(orgId),
    triggerType: row.trigger,
    targetType: 'specific' as const,
    ...form,
    projects: row.projectIds,
  }
}
