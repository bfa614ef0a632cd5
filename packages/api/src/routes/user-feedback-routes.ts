/**
 * User reports: https://docs.sentry.io/api/projects/list-a-projects-user-feedback/ and …/submit-user-feedback/. What comes
 * from widgets is in the list of issues, with `issue.category:feedback`.
 */
import { InvalidInput, readInput } from '@sonde/commands'
import { parseDsn } from '@sonde/protocol/dsn'
import { normalizeEventId } from '@sonde/protocol/event-id'
import { listUserReports, projectKeys, type UserReport } from '@sonde/queries'
import type { Hono } from 'hono'
import { z } from 'zod'
import { type ApiContext, type ApiEnv, type ApiOptions, refusal } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { API_BODY_BYTES, jsonObject } from '../json-body.ts'
import { setPage } from '../pages.ts'
import { isoDate, Time } from '../serializers/date.ts'

const PATH = '/projects/:org/:project/user-feedback'
const DSN_AUTH = /^DSN +(\S{1,500}) *$/i

const Report = z
  .object({
    id: z.string().nullable().meta({ description: 'Null: accepted, and not yet stored.' }),
    eventID: z.string(),
    event: z.object({ eventID: z.string(), id: z.null() }),
    name: z.string(),
    email: z.string(),
    comments: z.string(),
    dateCreated: Time,
    issue: z.null(),
    user: z.null(),
  })
  .meta({ id: 'UserReport' })

const needed = z.string('This field is required.').trim().min(1, 'This field is required.')
const NewReport = z.object({ event_id: needed, name: needed, email: needed, comments: needed })

/**
 * With the DSN alone, as pages and apps have it: before the question who calls. The DSN says which project. The route that is
 * described is that of `userFeedbackRoutes`.
 */
export function userFeedbackByDsnRoutes(hono: Hono<ApiEnv>, options: ApiOptions): void {
  hono.post(PATH, async (c, next) => {
    const given = DSN_AUTH.exec(c.req.header('authorization') ?? '')?.[1]
    if (given === undefined) return next()
    const dsn = parseDsn(given)
    if (!dsn) return c.json({ detail: 'Invalid DSN' }, 401)
    const body = readInput('send a report', NewReport, await jsonObject(c, API_BODY_BYTES.json))
    return c.json(await submit(c, options, dsn, body))
  })
}

export function userFeedbackRoutes(api: Api, options: ApiOptions): void {
  const { queries, publicUrl } = options
  api.get(
    PATH,
    {
      id: 'listUserReports',
      summary: 'List what users wrote',
      tag: 'Feedback',
      permission: 'event:read',
      pages: true,
      answer: z.array(Report),
    },
    async ({ c, grant }) => setPage(c, publicUrl, await listUserReports(queries, grant)).map(reportJson),
  )

  api.post(
    PATH,
    {
      id: 'sendUserReport',
      summary: 'Send what a user wrote',
      description: 'Also with `Authorization: DSN …` alone, as pages and apps have it.',
      tag: 'Feedback',
      permission: 'project:write',
      body: NewReport,
      answer: Report,
      errors: { 429: 'Over a limit of the project.', 503: 'No ingest endpoint belongs to this Sonde.' },
    },
    async ({ c, grant, body }) => {
      const key = (await projectKeys(queries, grant)).find(({ isActive }) => isActive)
      if (!key) throw refusal(c, 403, 'Every key of this project is disabled')
      return submit(c, options, { projectId: grant.projectId, publicKey: key.publicKey }, body)
    },
  )
}

async function submit(
  c: ApiContext,
  { submitReport, commands }: ApiOptions,
  key: { readonly projectId: number | string; readonly publicKey: string },
  { name, email, comments, event_id: given }: z.output<typeof NewReport>,
) {
  const eventId = normalizeEventId(given)
  if (eventId === undefined) throw new InvalidInput('send a report', { event_id: ['This is no event id.'] })
  if (!submitReport) throw refusal(c, 503, 'No ingest endpoint belongs to this Sonde')
  const sent = await submitReport(key, { event_id: eventId, name, email, comments })
  if (!sent.ok) throw refusal(c, sent.status, sent.message)
  return reportJson({ name, email, message: comments, eventId, receivedMs: commands.clock.nowMs() })
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
