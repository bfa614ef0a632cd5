import { INSIGHT_KINDS, type InsightKindId } from '@sonde/queries/contract'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { changeRange } from '../../shell/time-range.ts'
import { Snippet } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/section.tsx'

type Sending = {
  /** What the page shows. */
  readonly what: string
  /** Which integrations send it, and from where. */
  readonly sentBy: string
  readonly code: (dsn: string) => string
}

const SENDING: Readonly<Record<InsightKindId, Sending>> = {
  queries: {
    what: 'Queries without their values, with throughput, durations, time spent and the routes that run them.',
    sentBy:
      'Sent by the database integrations of Sentry’s server SDKs, which are on with tracing, and by OpenTelemetry’s. Spans with the op db or db.*.',
    code: (dsn) => `import * as Sentry from '@sentry/node'

// PostgreSQL, MySQL, MongoDB, Prisma and others are traced without more.
Sentry.init({ dsn: '${dsn}', tracesSampleRate: 1 })`,
  },
  requests: {
    what: 'Outgoing HTTP requests by host, with status codes, failures and durations.',
    sentBy:
      'Sent by any Sentry SDK with tracing, by Sonde’s SDK in browsers, and by OpenTelemetry’s HTTP clients. Spans with the op http.client.',
    code: (dsn) => `import * as Sentry from '@sentry/node'

// fetch, http and https are traced without more.
Sentry.init({ dsn: '${dsn}', tracesSampleRate: 1 })`,
  },
  assets: {
    what: 'Scripts, style sheets, images and fonts, with sizes, cache hits and what blocks rendering.',
    sentBy: 'Sent by browsers with each page load. Spans with the op resource.*.',
    code: (dsn) => `import * as Sentry from '@sentry/browser'

Sentry.init({
  dsn: '${dsn}',
  integrations: [Sentry.browserTracingIntegration()],
  tracesSampleRate: 1,
})`,
  },
  caches: {
    what: 'Cache lookups by key, with hit rate and what a miss costs.',
    sentBy:
      'Sent by the Redis and cache integrations of Sentry’s server SDKs (Node, Django, Laravel, Rails), or by code. Spans with the op cache.get, cache.put or cache.remove.',
    code: (dsn) => `import * as Sentry from '@sentry/node'

Sentry.init({
  dsn: '${dsn}',
  integrations: [Sentry.redisIntegration({ cachePrefixes: ['cart:'] })],
  tracesSampleRate: 1,
})`,
  },
  queues: {
    what: 'Queues and topics, with throughput, processing time, time in queue and failures.',
    sentBy:
      'Sent by the Celery, Sidekiq and Laravel integrations of Sentry’s SDKs, by OpenTelemetry’s messaging spans, or by code. Spans with the op queue.publish or queue.process.',
    code: (dsn) => `import * as Sentry from '@sentry/node'

Sentry.init({ dsn: '${dsn}', tracesSampleRate: 1 })

const attributes = { 'messaging.system': 'kafka', 'messaging.destination.name': 'orders' }
await Sentry.startSpan({ name: 'orders', op: 'queue.publish', attributes }, () => send(order))`,
  },
}

type Props = {
  readonly kind: InsightKindId
  readonly dsn: string | undefined
  readonly isNarrowed: boolean
}

/** Either the filters leave nothing over, or nobody sends such spans. */
export function NoInsights({ kind, dsn, isNarrowed }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const name = INSIGHT_KINDS[kind].name.toLowerCase()
  const { what, sentBy, code } = SENDING[kind]
  if (isNarrowed)
    return (
      <EmptyState title={`No matching ${name}`}>
        <p>
          Remove a filter or choose a longer time range, or{' '}
          <Link to={pathname} prefetch="none">
            show all
          </Link>
          .
        </p>
      </EmptyState>
    )
  return (
    <EmptyState title={`No ${name} yet`} docs="insights">
      <p>{what}</p>
      <p>
        No data in this time range. Try the{' '}
        <Link to={pathname + changeRange(params, { statsPeriod: '90d' })} prefetch="none">
          last 90 days
        </Link>
        .
      </p>
      <p>{sentBy}</p>
      {dsn !== undefined && <Snippet what="code that starts the SDK" code={code(dsn)} />}
    </EmptyState>
  )
}
