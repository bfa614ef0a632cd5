/** What was deleted within a day: the list of an organization, of organizations, restoring and deleting for good. Our own. */
import { deleteOrganization, purgeDeleted, restoreDeleted } from '@sonde/commands'
import { type DeletedLine, deletedOrganizations, recentlyDeleted } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, orgGrant, pathParam } from '../api-context.ts'
import { isoDate } from '../serializers/date.ts'

export function recentlyDeletedRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  api.get('/organizations/:org/recently-deleted', async (c) => {
    const grant = await orgGrant(c, 'event:delete')
    const before = c.req.query('before') ?? ''
    const { lines, nextBefore } = await recentlyDeleted(queries, grant, {
      before: /^\d{1,15}$/.test(before) ? Number(before) : undefined,
    })
    if (nextBefore !== undefined) {
      const next = `${publicUrl}/api/0/organizations/${grant.orgSlug}/recently-deleted/?before=${nextBefore}`
      c.header('link', `<${next}>; rel="next"; results="true"`)
    }
    return c.json(lines.map(lineJson))
  })

  api.get('/recently-deleted', async (c) =>
    c.json((await deletedOrganizations(queries, c.get('viewer'))).map(lineJson)),
  )

  api.post('/recently-deleted/:id/restore', async (c) => {
    const { kind, orgSlug, projectSlug, count } = await restoreDeleted(commands, c.get('viewer'), idOf(c))
    return c.json({ kind, organization: orgSlug, project: projectSlug ?? null, count })
  })

  api.delete('/recently-deleted/:id', async (c) => {
    await purgeDeleted(commands, c.get('viewer'), idOf(c))
    return c.body(null, 202)
  })

  /** No token has `org:write`: this is for owners who are signed in. */
  api.delete('/organizations/:org', async (c) => {
    const grant = await orgGrant(c, 'org:write')
    await deleteOrganization(commands, grant, { confirmSlug: grant.orgSlug })
    return c.body(null, 202)
  })
}

/** What is no id names nothing. */
function idOf(c: ApiContext): { readonly id: number } {
  const text = pathParam(c, 'id')
  return { id: /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN }
}

const lineJson = ({ id, kind, slug, name, count, issues, by, deletedMs, purgeMs }: DeletedLine) => ({
  id: String(id),
  kind,
  slug,
  name,
  count,
  issues,
  deletedBy: by,
  dateDeleted: isoDate(deletedMs),
  datePurged: isoDate(purgeMs),
})
