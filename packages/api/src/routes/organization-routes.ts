import { listOrganizations, listProjects } from '@sonde/queries'
import { type Api, type ApiOptions, orgGrant } from '../api-context.ts'
import { setPage } from '../list-page.ts'
import { organizationJson } from '../serializers/organization.ts'
import { projectJson } from '../serializers/project.ts'

export function organizationRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  api.get('/organizations', async (c) => {
    const rows = await listOrganizations(queries, await c.get('grants').openOrgs('org:read'))
    return c.json(setPage(c, publicUrl, rows).map((row) => organizationJson(row, publicUrl)))
  })

  api.get('/organizations/:org', async (c) => {
    const grant = await orgGrant(c, 'org:read')
    const [row] = await listOrganizations(queries, [grant])
    return row ? c.json(organizationJson(row, publicUrl)) : c.notFound()
  })

  api.get('/organizations/:org/projects', async (c) => {
    const grant = await orgGrant(c, 'org:read')
    const rows = setPage(c, publicUrl, await listProjects(queries, grant))
    return c.json(rows.map((row) => projectJson(row)))
  })
}
