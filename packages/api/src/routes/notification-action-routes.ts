/** Whom spikes are told, and the channels that rules name, both in Sentry's words. */
import type { Grant } from '@sonde/access'
import { createNotificationAction, deleteNotificationAction, updateNotificationAction } from '@sonde/commands'
import { channelNames, listProjects, notificationActions } from '@sonde/queries'
import { z } from 'zod'
import { inFormNames } from '../alert-forms/form.ts'
import {
  NOTIFICATION_NAMES,
  notificationJson,
  readNotificationBody,
} from '../alert-forms/notification-action.ts'
import { type ApiContext, type ApiOptions, orgGrant } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { fieldsOf } from '../json-body.ts'
import { setPage } from '../pages.ts'
import { projectIds, text } from '../query-schemas.ts'
import { taken } from '../taken.ts'
import { directoryOf, idOf } from './alert-directory.ts'

const LIST = '/organizations/:org/notifications/actions'
const ONE = '/organizations/:org/notifications/actions/:action'

/** What Sentry calls our kinds; the others have our names. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['teams', 'msteams'],
  ['slack_app', 'slack'],
])

const Action = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    triggerType: z.string(),
    targetType: z.literal('specific'),
    serviceType: z.string(),
    integrationId: z.number().nullable(),
    targetIdentifier: z.string().nullable(),
    targetDisplay: z.string().nullable(),
    projects: z.array(z.int()),
  })
  .meta({ id: 'NotificationAction' })

/** The documentation writes its names in one way, the answers in the other. */
const ActionFields = z.object({
  triggerType: taken('string', '`spike-protection`.'),
  trigger_type: taken('string', 'The same.'),
  serviceType: taken('string', '`email`, `sentry_notification`, `slack`, `pagerduty` or `opsgenie`.'),
  service_type: taken('string', 'The same.'),
  integrationId: taken('integer', 'Id of a channel.'),
  integration_id: taken('integer', 'The same.'),
  targetIdentifier: taken('string', 'Id of a member, or of a room of the channel.'),
  target_identifier: taken('string', 'The same.'),
  targetDisplay: taken('string', 'Its name.'),
  target_display: taken('string', 'The same.'),
  projects: taken(z.array(z.string()), 'Slugs.'),
})

const Integration = z
  .object({
    id: z.string(),
    name: z.string(),
    icon: z.null(),
    domainName: z.null(),
    accountType: z.null(),
    scopes: z.null(),
    status: z.literal('active'),
    provider: z.object({
      key: z.string(),
      slug: z.string(),
      name: z.string(),
      canAdd: z.boolean(),
      canDisable: z.boolean(),
      features: z.array(z.string()),
      aspects: z.object({}),
    }),
    organizationIntegrationStatus: z.literal('active'),
    externalId: z.string(),
    configData: z.object({}),
  })
  .meta({ id: 'Integration', description: 'A channel.' })

const reads = { tag: 'Alerts', permission: 'alert:read' } as const
const writes = { tag: 'Alerts', permission: 'alert:write' } as const

export function notificationActionRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  const shown = async (grant: Grant<'alert:read', 'org'>, actionId: number) => {
    const row = (await notificationActions(queries, grant)).find(({ id }) => id === actionId)
    return row && notificationJson(row, grant.orgId)
  }
  const read = async (
    c: ApiContext,
    grant: Grant<'alert:write', 'org'>,
    body: z.output<typeof ActionFields>,
  ) => {
    const projects = await listProjects(queries, await orgGrant(c, 'project:read'))
    const slugs = new Map(projects.map(({ slug, id }) => [slug, id]))
    return readNotificationBody(fieldsOf(body), await directoryOf(options, grant), slugs)
  }

  api.get(
    LIST,
    {
      ...reads,
      id: 'listNotificationActions',
      summary: 'List whom spikes are told',
      query: z.object({ project: projectIds }),
      pages: true,
      answer: z.array(Action),
    },
    async ({ c, grant, query }) => {
      const wanted = new Set(query.project)
      const rows = (await notificationActions(queries, grant)).filter(
        (row) => wanted.size === 0 || row.projectIds.some((id) => wanted.has(id)),
      )
      return setPage(c, publicUrl, rows).map((row) => notificationJson(row, grant.orgId))
    },
  )

  api.post(
    LIST,
    {
      ...writes,
      id: 'createNotificationAction',
      summary: 'Tell somebody of spikes',
      body: ActionFields,
      answer: Action,
      status: 201,
    },
    async ({ c, grant, body }) => {
      const input = await read(c, grant, body)
      const { id } = await inFormNames(NOTIFICATION_NAMES, () =>
        createNotificationAction(commands, grant, input),
      )
      return shown(grant, id)
    },
  )

  api.get(
    ONE,
    { ...reads, id: 'getNotificationAction', summary: 'Read who is told of spikes', answer: Action },
    ({ grant, params }) => shown(grant, idOf(params.action)),
  )

  api.put(
    ONE,
    {
      ...writes,
      id: 'updateNotificationAction',
      summary: 'Write who is told of spikes',
      body: ActionFields,
      answer: Action,
      status: 202,
    },
    async ({ c, grant, params, body }) => {
      const input = await read(c, grant, body)
      const actionId = idOf(params.action)
      await inFormNames(NOTIFICATION_NAMES, () =>
        updateNotificationAction(commands, grant, { actionId, ...input }),
      )
      return shown(grant, actionId)
    },
  )

  api.delete(
    ONE,
    { ...writes, id: 'deleteNotificationAction', summary: 'Tell somebody no longer of spikes' },
    ({ grant, params }) => deleteNotificationAction(commands, grant, { actionId: idOf(params.action) }),
  )

  /** https://docs.sentry.io/api/integrations/list-an-organizations-available-integrations/ */
  api.get(
    '/organizations/:org/integrations',
    {
      ...reads,
      id: 'listIntegrations',
      summary: 'List channels',
      query: z.object({
        provider_key: text('Only of this kind: `slack`, `msteams`, …'),
        providerKey: text('The same.'),
      }),
      pages: true,
      answer: z.array(Integration),
    },
    async ({ c, grant, query }) => {
      const wanted = query.provider_key ?? query.providerKey
      const rows = (await channelNames(queries, grant)).map(integrationJson)
      return setPage(
        c,
        publicUrl,
        rows.filter(({ provider }) => wanted === undefined || provider.key === wanted),
      )
    },
  )
}

function integrationJson({ id, kind, name }: ChannelName): z.infer<typeof Integration> {
  const key = PROVIDERS.get(kind) ?? kind
  return {
    id: String(id),
    name,
    icon: null,
    domainName: null,
    accountType: null,
    scopes: null,
    status: 'active',
    provider: { key, slug: key, name: key, canAdd: true, canDisable: false, features: [], aspects: {} },
    organizationIntegrationStatus: 'active',
    externalId: String(id),
    configData: {},
  }
}

type ChannelName = Awaited<ReturnType<typeof channelNames>>[number]
