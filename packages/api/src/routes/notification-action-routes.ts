/** Whom spikes are told, and the channels that rules name, both in Sentry's words. */
import { createNotificationAction, deleteNotificationAction, updateNotificationAction } from '@sonde/commands'
import { channelNames, listProjects, notificationActions } from '@sonde/queries'
import { inFormNames } from '../alert-forms/form.ts'
import {
  NOTIFICATION_NAMES,
  notificationJson,
  readNotificationBody,
} from '../alert-forms/notification-action.ts'
import { type Api, type ApiContext, type ApiOptions, orgGrant } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { projectIdsParam, setPage } from '../request-params.ts'
import { directoryOf, idParam } from './alert-directory.ts'

const LIST = '/organizations/:org/notifications/actions'
const ONE = '/organizations/:org/notifications/actions/:action'

/** What Sentry calls our kinds; the others have our names. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['teams', 'msteams'],
  ['slack_app', 'slack'],
])

export function notificationActionRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  const find = async (c: ApiContext) => {
    const grant = await orgGrant(c, 'alert:read')
    const actionId = idParam(c, 'action')
    return {
      grant,
      actionId,
      row: (await notificationActions(queries, grant)).find(({ id }) => id === actionId),
    }
  }
  const read = async (c: ApiContext) => {
    const grant = await orgGrant(c, 'alert:write')
    const projects = await listProjects(queries, await orgGrant(c, 'project:read'))
    const slugs = new Map(projects.map(({ slug, id }) => [slug, id]))
    return { grant, input: readNotificationBody(await jsonBody(c), await directoryOf(options, grant), slugs) }
  }

  api.get(LIST, async (c) => {
    const grant = await orgGrant(c, 'alert:read')
    const wanted = new Set(projectIdsParam(c))
    const rows = (await notificationActions(queries, grant)).filter(
      ({ projectIds }) => wanted.size === 0 || projectIds.some((id) => wanted.has(id)),
    )
    return c.json(setPage(c, publicUrl, rows).map((row) => notificationJson(row, grant.orgId)))
  })

  api.post(LIST, async (c) => {
    const { grant, input } = await read(c)
    const { id } = await inFormNames(NOTIFICATION_NAMES, () =>
      createNotificationAction(commands, grant, input),
    )
    const row = (await notificationActions(queries, grant)).find((each) => each.id === id)
    return row ? c.json(notificationJson(row, grant.orgId), 201) : c.notFound()
  })

  api.get(ONE, async (c) => {
    const { grant, row } = await find(c)
    return row ? c.json(notificationJson(row, grant.orgId)) : c.notFound()
  })

  api.put(ONE, async (c) => {
    const { grant, input } = await read(c)
    const actionId = idParam(c, 'action')
    await inFormNames(NOTIFICATION_NAMES, () =>
      updateNotificationAction(commands, grant, { actionId, ...input }),
    )
    const { row } = await find(c)
    return row ? c.json(notificationJson(row, grant.orgId), 202) : c.notFound()
  })

  api.delete(ONE, async (c) => {
    const grant = await orgGrant(c, 'alert:write')
    await deleteNotificationAction(commands, grant, { actionId: idParam(c, 'action') })
    return c.body(null, 204)
  })

  /** https://docs.sentry.io/api/integrations/list-an-organizations-available-integrations/ */
  api.get('/organizations/:org/integrations', async (c) => {
    const provider = c.req.query('provider_key') ?? c.req.query('providerKey')
    const rows = (await channelNames(queries, await orgGrant(c, 'alert:read'))).flatMap(
      ({ id, kind, name }) => {
        const key = PROVIDERS.get(kind) ?? kind
        return provider !== undefined && provider !== key
          ? []
          : [
              {
                id: String(id),
                name,
                icon: null,
                domainName: null,
                accountType: null,
                scopes: null,
                status: 'active',
                provider: {
                  key,
                  slug: key,
                  name: key,
                  canAdd: true,
                  canDisable: false,
                  features: [],
                  aspects: {},
                },
                organizationIntegrationStatus: 'active',
                externalId: String(id),
                configData: {},
              },
            ]
      },
    )
    return c.json(setPage(c, publicUrl, rows))
  })
}
