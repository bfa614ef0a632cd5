/**
 * Synthetic error envelopes of exactly 3,026 bytes: the size and shape that the fastest light peer publishes its rate
 * for. Python, 8 frames, 5 breadcrumbs, `BenchError000` to `BenchError099` in turn, one of 100 users.
 */
import { ID_PLACE, TIME_PLACE } from '../load/template.ts'

export const ENVELOPE_BYTES = 3026
export const ISSUES = 100
const USERS = 100
const FRAMES = 8
const BREADCRUMBS = 5

/** One envelope per issue. Each user meets one issue only: 100 templates are sent in turn. */
export function pythonLikeEnvelopes(): string[] {
  return Array.from({ length: ISSUES }, (_, issue) => {
    const unpadded = envelope(eventOf(issue, ''))
    const missing = ENVELOPE_BYTES - unpadded.length
    const padded = envelope(eventOf(issue, PADDING.slice(0, missing)))
    if (missing < 0 || missing > PADDING.length || Buffer.byteLength(padded) !== ENVELOPE_BYTES)
      throw new Error(`envelope ${issue} has ${Buffer.byteLength(padded)} bytes instead of ${ENVELOPE_BYTES}`)
    return padded
  })
}

/** Stands at the end of a breadcrumb's message, where an application would put its own words. */
const PADDING =
  ' after the upstream answered within its deadline and every replica agreed on the result of the batch that was due'.repeat(
    2,
  )

function envelope(event: object): string {
  const payload = JSON.stringify(event)
  return `{"event_id":"${ID_PLACE}"}\n{"type":"event","length":${payload.length}}\n${payload}\n`
}

function eventOf(issue: number, padding: string): object {
  return {
    event_id: ID_PLACE,
    timestamp: Number(TIME_PLACE),
    user: { id: `bench-user-${String(issue % USERS).padStart(2, '0')}` },
    level: 'error',
    platform: 'python',
    logger: 'shop.checkout',
    transaction: `POST /checkout/step/${issue % 10}`,
    release: 'shop@4.12.0',
    environment: 'production',
    server_name: 'web-eu-1',
    sdk: { name: 'sentry.python', version: '2.40.0' },
    exception: {
      values: [
        {
          type: `BenchError${String(issue).padStart(3, '0')}`,
          value: 'the payment provider returned a response that is not valid',
          mechanism: { type: 'generic', handled: false },
          stacktrace: { frames: Array.from({ length: FRAMES }, (_, at) => frame(at)) },
        },
      ],
    },
    breadcrumbs: { values: Array.from({ length: BREADCRUMBS }, (_, at) => breadcrumb(at, padding)) },
    tags: { component: 'checkout', region: 'eu-1', tier: 'backend' },
    extra: { queue: 'default', attempt: 1 },
  }
}

function frame(at: number): object {
  return {
    filename: `shop/services/step_${at}.py`,
    function: `run_step_${at}`,
    module: `shop.services.step_${at}`,
    lineno: 40 + at * 17,
    in_app: at >= 2,
    context_line: `    answer = step_${at}.call(request, retries=3)`,
  }
}

function breadcrumb(at: number, padding: string): object {
  const message = `step ${at} of the checkout is done, nothing waits in the queue`
  return {
    type: 'default',
    category: 'shop.checkout',
    level: 'info',
    message: at === BREADCRUMBS - 1 ? message + padding : message,
  }
}
