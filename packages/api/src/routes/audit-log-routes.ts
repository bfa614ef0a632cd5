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
import { type Api, type ApiContext, type ApiOptions, orgGrant } from '../api-context.ts'
import { limitParam, optionalWindow, setLink } from '../request-params.ts'
import { isoDate } from '../serializers/date.ts'

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

/** `rows`, the newest first, and `options`: every `event` that can be asked for. */
export function auditLogRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  api.get('/organizations/:org/audit-logs', async (c) => {
    const grant = await orgGrant(c, 'audit:read')
    const { rows, olderThan } = await auditLog(queries, grant, filterOf(c), pageLimit(limitParam(c), 50))
    const next = formatCursor({ kind: 'key', value: olderThan ?? 1, id: 0, isPrevious: false })
    setLink(c, publicUrl, {
      previous: { cursor: '0:0:1', hasResults: false },
      next: { cursor: next, hasResults: olderThan !== undefined },
    })
    return c.json({ rows: rows.map(auditJson), options: AUDIT_ACTIONS })
  })
}

/** `event`: any of several; `actor`: an id of a person, or a part of a name or address; `start`, `end`. */
function filterOf(c: ApiContext): AuditFilter {
  const text = c.req.query('cursor')
  const cursor = parseCursor(text)
  if (cursor === undefined || (cursor.kind === 'offset' && cursor.offset > 0))
    throw new SearchError(`cursor "${text}" is not one of ours`, 0)
  const events = c.req.queries('event') ?? []
  const unknown = events.find((event) => !AUDIT_ACTIONS.some((action) => action === event))
  if (unknown !== undefined) throw new SearchError(`event "${unknown}" is not one of the options`, 0)
  return {
    who: c.req.query('actor'),
    actions: events.length === 0 ? undefined : AUDIT_ACTIONS.filter((action) => events.includes(action)),
    ...optionalWindow(c),
    beforeId: cursor.kind === 'key' ? cursor.value : undefined,
  }
}
