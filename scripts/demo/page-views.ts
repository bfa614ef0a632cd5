/** What the shop's own server tells of the pages that it gives out, as OpenTelemetry would: sent once the visits are over. */
import { randomBytes } from 'node:crypto'
import { postOtlp } from './services.ts'

export type PageViews = {
  /** Begins the trace of a page that is asked for; what its HTML says of it. */
  tagsOf(asked: Asked): string
  send(dsn: string): Promise<void>
}
type Asked = { readonly path: string; readonly userAgent: string; readonly environment: string }

const id = (bytes: number): string => randomBytes(bytes).toString('hex')

export function createPageViews(): PageViews {
  const spansOf = new Map<string, object[]>()
  let isSent = false
  return {
    tagsOf({ path, userAgent, environment }) {
      // The shop stays open after that, and nobody would send these.
      if (isSent) return ''
      const [traceId, spanId] = [id(16), id(8)]
      const route = path.replace(/^\/(c|products)\/[^/]+/, '/$1/:id')
      const nowMs = Date.now()
      const attributes = {
        'http.request.method': 'GET',
        'http.route': route,
        'user_agent.original': userAgent,
        'http.request.header.sec-fetch-dest': 'document',
      }
      const own = spansOf.get(environment) ?? []
      spansOf.set(environment, own)
      own.push({
        traceId,
        spanId,
        kind: 2,
        name: `GET ${route}`,
        startTimeUnixNano: `${nowMs}000000`,
        endTimeUnixNano: `${nowMs + 3}000000`,
        status: {},
        attributes: [
          ...Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
          { key: 'http.response.status_code', value: { intValue: '200' } },
        ],
      })
      return `<meta name="sentry-trace" content="${traceId}-${spanId}-1" />`
    },
    async send(dsn) {
      const resourceSpans = [...spansOf].map(([environment, spans]) => ({
        resource: {
          attributes: [
            { key: 'service.name', value: { stringValue: 'shop-web' } },
            { key: 'deployment.environment.name', value: { stringValue: environment } },
          ],
        },
        scopeSpans: [{ spans }],
      }))
      spansOf.clear()
      isSent = true
      if (resourceSpans.length > 0) await postOtlp(dsn, 'traces', { resourceSpans })
    },
  }
}
