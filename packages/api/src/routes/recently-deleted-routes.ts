/** What was deleted within a day: the list of an organization, of organizations, restoring and deleting for good. Our own. */
import { deleteOrganization, purgeDeleted, restoreDeleted } from '@sonde/commands'
import { type DeletedLine, deletedOrganizations, recentlyDeleted } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import type { DeepReadonly } from '../operation.ts'
import { text } from '../query-schemas.ts'
import { isoDate, Time } from '../serializers/date.ts'

const Deleted = z
  .object({
    id: z.string(),
    kind: z.enum(['issues', 'events', 'project', 'organization']),
    slug: z
      .string()
      .meta({ description: 'Of the project, also where issues and events were, or organization.' }),
    name: z.string(),
    count: z.int().meta({ description: 'How many issues or events, or of an organization projects.' }),
    issues: z
      .array(z.object({ shortId: z.string(), title: z.string() }))
      .meta({ description: 'Some of them.' }),
    deletedBy: z.string(),
    dateDeleted: Time,
    datePurged: Time.meta({ description: 'When it goes for good.' }),
  })
  .meta({ id: 'RecentlyDeleted' })

export function recentlyDeletedRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  api.get(
    '/organizations/:org/recently-deleted',
    {
      id: 'listDeletedOfOrganization',
      summary: 'List what was deleted within a day',
      description: 'The header `Link` has the next page, if there is one.',
      tag: 'Organizations',
      permission: 'event:delete',
      query: z.object({ before: text('Only what has a smaller id.') }),
      answer: z.array(Deleted),
    },
    async ({ c, grant, query: { before = '' } }) => {
      const { lines, nextBefore } = await recentlyDeleted(queries, grant, {
        before: /^\d{1,15}$/.test(before) ? Number(before) : undefined,
      })
      if (nextBefore !== undefined) {
        const next = `${publicUrl}/api/0/organizations/${grant.orgSlug}/recently-deleted/?before=${nextBefore}`
        c.header('link', `<${next}>; rel="next"; results="true"`)
      }
      return lines.map(lineJson)
    },
  )

  api.get(
    '/recently-deleted',
    {
      id: 'listDeletedOrganizations',
      summary: 'List organizations that were deleted within a day',
      tag: 'Organizations',
      answer: z.array(Deleted),
    },
    async ({ c }) => (await deletedOrganizations(queries, c.get('viewer'))).map(lineJson),
  )

  api.post(
    '/recently-deleted/:id/restore',
    {
      id: 'restoreDeleted',
      summary: 'Restore what was deleted',
      tag: 'Organizations',
      opens: 'event:delete',
      answer: z.object({
        kind: z.string(),
        organization: z.string(),
        project: z.string().nullable(),
        count: z.int(),
      }),
    },
    async ({ c, params }) => {
      const restored = await restoreDeleted(commands, c.get('viewer'), idOf(params.id))
      const { kind, orgSlug, projectSlug, count } = restored
      return { kind, organization: orgSlug, project: projectSlug ?? null, count }
    },
  )

  api.delete(
    '/recently-deleted/:id',
    {
      id: 'purgeDeleted',
      summary: 'Delete for good',
      tag: 'Organizations',
      opens: 'event:delete',
      status: 202,
    },
    ({ c, params }) => purgeDeleted(commands, c.get('viewer'), idOf(params.id)),
  )

  api.delete(
    '/organizations/:org',
    {
      id: 'deleteOrganization',
      summary: 'Delete an organization',
      description: 'No token may: this is for owners who are signed in.',
      tag: 'Organizations',
      permission: 'org:write',
      status: 202,
    },
    ({ grant }) => deleteOrganization(commands, grant, { confirmSlug: grant.orgSlug }),
  )
}

/** What is no id names nothing. */
const idOf = (id: string): { readonly id: number } => ({
  id: /^\d{1,15}$/.test(id) ? Number(id) : Number.NaN,
})

const lineJson = ({
  id,
  kind,
  slug,
  name,
  count,
  issues,
  by,
  deletedMs,
  purgeMs,
}: DeletedLine): DeepReadonly<z.infer<typeof Deleted>> => ({
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
