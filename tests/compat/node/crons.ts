/** Scheduled jobs that report through @sentry/node as its documentation says: one that ends well, one that throws, one by hand. */
import * as Sentry from '@sentry/node'

Sentry.init({
  dsn: process.env['SENTRY_DSN'] ?? '',
  release: 'jobs@1.0.0',
  environment: 'compat-node',
  tracesSampleRate: 1,
})

const monitorConfig = {
  schedule: { type: 'crontab', value: '0 2 * * *' },
  timezone: 'Europe/Berlin',
  checkinMargin: 5,
  maxRuntime: 20,
  failureIssueThreshold: 1,
  recoveryThreshold: 2,
} as const

await Sentry.withMonitor(
  'node-backup',
  async () => Sentry.startSpan({ name: 'backup' }, () => {}),
  monitorConfig,
)

try {
  await Sentry.withMonitor(
    'node-invoices',
    async () => {
      const failure = new Error('the printer is on fire')
      Sentry.captureException(failure)
      throw failure
    },
    { schedule: { type: 'interval', value: 2, unit: 'hour' } },
  )
} catch {
  // The scheduler that runs it goes on.
}

const checkInId = Sentry.captureCheckIn({ monitorSlug: 'node-by-hand', status: 'in_progress' }, monitorConfig)
Sentry.captureCheckIn({ checkInId, monitorSlug: 'node-by-hand', status: 'ok', duration: 12.5 })

await Sentry.flush(10_000)
