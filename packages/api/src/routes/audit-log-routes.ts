/** The audit log of an organization, in the form in which Sentry's own screens read it, for programs that collect it. */
import {
  type AuditFilter,
  auditLog,
  type AuditRow,
  formatCursor,
  pageLimit,
  parseCursor,
  SearchError,
} from '@sonde/queries'
import { AUDIT_ACTIONS } from '@sonde/stores'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { setLink } from '../pages.ts'
import { type PageInput, text, texts, WINDOW, optionalWindow } from '../query-schemas.ts'
import { isoDate, Time } from '../serializers/date.ts'

const auditJson = (row: AuditRow) => ({
  id: String(row.id),
  event: row.action,
  actor: { id: row.actor, name: row.by },
  ipAddress: row.address ?? null,
  targetObject: row.subject,
  targetUser: row.subjectEmail === undefined ? null : { id: row.subject, email: row.subjectEmail },
  data: row.detail,
  dateCreated: isoDate(row.atMs),
})

const AuditLog = z
  .object({
    rows: z
      .array(
        z.object({
          id: z.string(),
          event: z.string().meta({ examples: ['project.create'] }),
          actor: z.object({
            id: z.string().meta({ description: '`user:ID`, `token:ID`, `operator:cli`, `stranger`, …' }),
            name: z.string(),
          }),
          ipAddress: z.string().nullable(),
          targetObject: z.string().meta({ description: 'A slug, an id or a name.' }),
          targetUser: z
            .object({ id: z.string(), email: z.string() })
            .nullable()
            .meta({ description: 'The account that it was done to, while it is there.' }),
          data: z.record(z.string(), z.unknown()).meta({
            description: 'What was changed: fields by the kind of `event`, named as they are in Sonde.',
          }),
          dateCreated: Time,
        }),
      )
      .meta({ description: 'The newest first.' }),
    options: z.array(z.string()).meta({ description: 'Every `event` that can be asked for.' }),
  })
  .meta({ id: 'AuditLog' })

const AUDIT = {
  event: texts('Any of several of `options`.'),
  actor: text('An id of a person, or a part of a name or address.'),
  start: WINDOW.start,
  end: WINDOW.end,
}

export function auditLogRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  api.get(
    '/organizations/:org/audit-logs',
    {
      id: 'listAuditLog',
      summary: 'Read the audit log',
      tag: 'Organizations',
      permission: 'audit:read',
      query: z.object(AUDIT),
      pages: true,
      answer: AuditLog,
    },
    async ({ c, grant, query, page }) => {
      const filter = filterOf(query, page)
      const { rows, olderThan } = await auditLog(queries, grant, filter, pageLimit(page.limit, 50))
      const next = formatCursor({ kind: 'key', value: olderThan ?? 1, id: 0, isPrevious: false })
      setLink(c, publicUrl, {
        previous: { cursor: '0:0:1', hasResults: false },
        next: { cursor: next, hasResults: olderThan !== undefined },
      })
      return { rows: rows.map(auditJson), options: AUDIT_ACTIONS }
    },
  )
}

function filterOf(query: z.output<z.ZodObject<typeof AUDIT>>, page: PageInput): AuditFilter {
  const cursor = parseCursor(page.cursor)
  if (cursor === undefined || (cursor.kind === 'offset' && cursor.offset > 0))
    throw new SearchError(`cursor "${page.cursor}" is not one of ours`, 0)
  const { event: events = [], actor } = query
  const unknown = events.find((event) => !AUDIT_ACTIONS.some((action) => action === event))
  if (unknown !== undefined) throw new SearchError(`event "${unknown}" is not one of the options`, 0)
  return {
    who: actor,
    actions: events.length === 0 ? undefined : AUDIT_ACTIONS.filter((action) => events.includes(action)),
    ...optionalWindow(query),
    beforeId: cursor.kind === 'key' ? cursor.value : undefined,
  }
}
