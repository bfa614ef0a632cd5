/**
 * A program that profiles through @sentry/profiling-node as its documentation says: `transaction`, one profile of each
 * transaction, or `trace`, a profiler that runs while a span does. With the @sentry/node that the profiler was built for.
 */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(fileURLToPath(import.meta.resolve('@sentry/profiling-node')))
const Sentry = require('@sentry/node') as typeof import('@sentry/node')
const { nodeProfilingIntegration } =
  require('@sentry/profiling-node') as typeof import('@sentry/profiling-node')

const isContinuous = process.argv[2] === 'trace'
Sentry.init({
  dsn: process.env['SENTRY_DSN'] ?? '',
  release: 'shop@2.0.0',
  // Both copies are the same code; their types only look alike.
  integrations: [nodeProfilingIntegration() as never],
  tracesSampleRate: 1,
  ...(isContinuous
    ? { profileSessionSampleRate: 1, profileLifecycle: 'trace' as const }
    : { profilesSampleRate: 1 }),
})

function priceTheCart(): number {
  const until = performance.now() + 500
  let sum = 0
  while (performance.now() < until) sum += Math.sqrt(sum + 1)
  return sum
}

Sentry.startSpan({ name: 'price the cart', op: 'task', forceTransaction: true }, () => priceTheCart())
await new Promise((resolve) => setTimeout(resolve, 200))
await Sentry.close(10_000)
