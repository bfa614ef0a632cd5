/** Organizations, and what the caller is. */
import { SCOPES } from '@sonde/access'
import { listOrganizations, listProjects } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { setPage } from '../pages.ts'
import { Organization, organizationJson } from '../serializers/organization.ts'
import { Project, projectJson } from '../serializers/project.ts'

export function organizationRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  api.get(
    '/organizations',
    {
      id: 'listOrganizations',
      summary: 'List the organizations that the caller sees',
      tag: 'Organizations',
      opens: 'org:read',
      pages: true,
      answer: z.array(Organization),
    },
    async ({ c }) => {
      const rows = await listOrganizations(queries, await c.get('grants').openOrgs('org:read'))
      return setPage(c, publicUrl, rows).map((row) => organizationJson(row, publicUrl))
    },
  )

  api.get(
    '/organizations/:org',
    {
      id: 'getOrganization',
      summary: 'Read an organization',
      tag: 'Organizations',
      permission: 'org:read',
      answer: Organization,
    },
    async ({ grant }) => {
      const [row] = await listOrganizations(queries, [grant])
      return row && organizationJson(row, publicUrl)
    },
  )

  api.get(
    '/organizations/:org/projects',
    {
      id: 'listOrganizationProjects',
      summary: 'List the projects of an organization',
      tag: 'Projects',
      permission: 'org:read',
      pages: true,
      answer: z.array(Project),
    },
    async ({ c, grant }) => setPage(c, publicUrl, await listProjects(queries, grant)).map(projectJson),
  )
}

const Caller = z.object({
  version: z.literal('0'),
  auth: z
    .object({ scopes: z.array(z.enum(SCOPES)) })
    .nullable()
    .meta({ description: 'Of a token; null: a session.' }),
  user: z
    .object({ id: z.string(), email: z.string(), name: z.string() })
    .nullable()
    .meta({ description: 'Of a session; null: a token.' }),
  organizations: z.array(z.string()).meta({ description: 'Slugs.' }),
})

/** What the caller is, and where its organizations lie: sentry-cli asks to check a token and before listing. */
export function accountRoutes(api: Api, { publicUrl }: ApiOptions): void {
  api.get(
    '/',
    {
      id: 'getCaller',
      summary: 'Read who calls',
      description: 'With a token, a session, or the command line of the server.',
      tag: 'Account',
      answer: Caller,
    },
    async ({ c }) => {
      const viewer = c.get('viewer')
      const visible = await c.get('grants').openOrgs('org:read')
      return {
        version: '0' as const,
        auth: viewer.kind === 'token' ? { scopes: viewer.scopes } : null,
        user: viewer.kind === 'user' ? { id: viewer.userId, email: viewer.email, name: viewer.name } : null,
        organizations: visible.map((org) => org.orgSlug),
      }
    },
  )

  api.get(
    '/internal/health',
    {
      id: 'getHealth',
      summary: 'Ask whether this token is answered',
      description: 'The Terraform provider asks it before anything else.',
      tag: 'Account',
      answer: z.object({ problems: z.array(z.string()), healthy: z.object({}) }),
    },
    () => ({ problems: [], healthy: {} }),
  )

  api.get(
    '/users/me/regions',
    {
      id: 'listRegions',
      summary: 'List the regions of the caller: this Sonde',
      tag: 'Account',
      answer: z.object({ regions: z.array(z.object({ name: z.string(), url: z.url() })) }),
    },
    () => ({ regions: [{ name: 'sonde', url: publicUrl }] }),
  )
}
