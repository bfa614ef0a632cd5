/**
 * User reports: https://docs.sentry.io/api/projects/list-a-projects-user-feedback/ and …/submit-user-feedback/. What comes
 * from widgets is in the list of issues, with `issue.category:feedback`.
 */
import { parseDsn } from '@sonde/protocol/dsn'
import { normalizeEventId } from '@sonde/protocol/event-id'
import { listUserReports, projectKeys, type UserReport } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, projectGrant } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { setPage } from '../request-params.ts'
import { isoDate } from '../serializers/date.ts'

const PATH = '/projects/:org/:project/user-feedback'
const DSN_AUTH = /^DSN +(\S{1,500}) *$/i

/** With the DSN alone, as pages and apps have it: before the question who calls. The DSN says which project. */
export function userFeedbackByDsnRoutes(api: Api, options: ApiOptions): void {
  api.post(PATH, async (c, next) => {
    const given = DSN_AUTH.exec(c.req.header('authorization') ?? '')?.[1]
    if (given === undefined) return next()
    const dsn = parseDsn(given)
    if (!dsn) return c.json({ detail: 'Invalid DSN' }, 401)
    return submit(c, options, dsn)
  })
}

export function userFeedbackRoutes(api: Api, options: ApiOptions): void {
  const { queries, publicUrl } = options
  api.get(PATH, async (c) => {
    const reports = await listUserReports(queries, await projectGrant(c, 'event:read'))
    return c.json(setPage(c, publicUrl, reports).map((report) => reportJson(report)))
  })

  api.post(PATH, async (c) => {
    await projectGrant(c, 'project:write')
    const grant = await projectGrant(c, 'project:read')
    const key = (await projectKeys(queries, grant)).find(({ isActive }) => isActive)
    if (!key) return c.json({ detail: 'Every key of this project is disabled' }, 403)
    return submit(c, options, { projectId: grant.projectId, publicKey: key.publicKey })
  })
}

const NEEDED = ['event_id', 'name', 'email', 'comments'] as const

async function submit(
  c: ApiContext,
  { submitReport, commands }: ApiOptions,
  key: { readonly projectId: number | string; readonly publicKey: string },
): Promise<Response> {
  const body = await jsonBody(c)
  const report = Object.fromEntries(NEEDED.map((name) => [name, body.text(name)?.trim() ?? '']))
  const wrong = NEEDED.filter((name) => report[name] === '')
  if (wrong.length > 0)
    return c.json(Object.fromEntries(wrong.map((name) => [name, ['This field is required.']])), 400)
  const eventId = normalizeEventId(report['event_id'])
  if (eventId === undefined) return c.json({ event_id: ['This is no event id.'] }, 400)
  if (!submitReport) return c.json({ detail: 'No ingest endpoint belongs to this Sonde' }, 503)
  const said = {
    event_id: eventId,
    name: report['name']!,
    email: report['email']!,
    comments: report['comments']!,
  }
  const sent = await submitReport(key, said)
  if (!sent.ok) return c.json({ detail: sent.message }, sent.status)
  const { name, email, comments } = said
  return c.json(reportJson({ name, email, message: comments, eventId, receivedMs: commands.clock.nowMs() }))
}

/** Without `issueId` it is accepted, and not yet stored: it has no id. */
function reportJson(report: Omit<UserReport, 'issueId'> & { readonly issueId?: number }) {
  const { issueId, name, email, message, eventId, receivedMs } = report
  return {
    id: issueId === undefined ? null : String(issueId),
    eventID: eventId,
    event: { eventID: eventId, id: null },
    name,
    email,
    comments: message,
    dateCreated: isoDate(receivedMs),
    issue: null,
    user: null,
  }
}
