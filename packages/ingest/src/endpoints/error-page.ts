/**
 * `/api/embed/error-page/?dsn=…&eventId=…`: the crash-report modal that `Sentry.showReportDialog` loads as a script (GET),
 * and what people write into it (POST). The script is the same for everybody: it reads labels, name and address from its own
 * URL, so nothing of a request is ever written into it.
 * https://docs.sentry.io/platforms/javascript/user-feedback/configuration/#crash-report-modal
 */
import { normalizeEventId, parseDsn } from '@sonde/protocol'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../refusal.ts'
import { type EndpointHandler, findKey } from '../request-context.ts'
import { checkKey, checkPage, readDsnAuth } from '../validate/authenticate.ts'
import { takeReport } from './user-report.ts'

/** `script`: what `npm run build` made; undefined where nothing was built. */
export function createErrorPageEndpoint(script: string | undefined): EndpointHandler {
  const loaded: Answer | undefined =
    script === undefined
      ? undefined
      : {
          status: 200,
          body: script,
          contentType: 'text/javascript; charset=utf-8',
          // Pages that isolate themselves load it too.
          headers: ['Cache-Control', 'public, max-age=300', 'Cross-Origin-Resource-Policy', 'cross-origin'],
        }
  return async (tools, context) => {
    const { req, endpoint } = context
    const query = new URLSearchParams(endpoint.query)
    const dsn = parseDsn(query.get('dsn'))
    if (!dsn) throw refuse(400, 'bad_auth', 'the query has no dsn that can be read')
    const auth = readDsnAuth(dsn)
    const key = await findKey(tools, context, auth.publicKey)
    checkKey(key, dsn.projectId)
    checkPage(key, req)
    const eventId = normalizeEventId(query.get('eventId') ?? '')
    if (eventId === undefined)
      throw refuse(400, 'missing_event_id', 'eventId is missing or is not 32 hex digits')
    if (req.method === 'POST') return takeReport(tools, context, key, auth, eventId)
    if (!loaded) throw refuse(404, 'unsupported_endpoint', 'the dialog is not built: npm run build')
    return loaded
  }
}
