/**
 * Synthetic error envelopes of an exact size; 3,026 bytes is what the fastest light peer publishes its rate for. Python, 8
 * frames and more, 5 breadcrumbs, `BenchError000` to `BenchError099` in turn, one of 100 users.
 */
import { ID_PLACE, KIND_PLACE, TIME_PLACE } from '../load/template.ts'

export const ENVELOPE_BYTES = 3026
export const ISSUES = 100
const USERS = 100
const LEAST_FRAMES = 8
const BREADCRUMBS = 5
/** What one more frame takes, with its variables and the lines around it. */
const LARGE_FRAME_BYTES = 690

type Shape = {
  readonly bytes?: number
  /** Each of them makes several issues: a job's `kinds` says how many. */
  readonly kinds?: boolean
}

/** One envelope per issue. Each user meets one issue only: 100 templates are sent in turn. */
export function pythonLikeEnvelopes({ bytes = ENVELOPE_BYTES, kinds = false }: Shape = {}): string[] {
  const large = Math.max(0, Math.floor((bytes - ENVELOPE_BYTES) / LARGE_FRAME_BYTES) - 1)
  return Array.from({ length: ISSUES }, (_, issue) => {
    const type = `BenchError${String(issue).padStart(3, '0')}${kinds ? KIND_PLACE : ''}`
    const unpadded = envelope(eventOf(issue, { type, large, padding: '' }))
    const padding = paddingOf(bytes - unpadded.length)
    const padded = envelope(eventOf(issue, { type, large, padding }))
    if (Buffer.byteLength(padded) !== bytes)
      throw new Error(`envelope ${issue} has ${Buffer.byteLength(padded)} bytes instead of ${bytes}`)
    return padded
  })
}

/** Stands at the end of a breadcrumb's message, where an application would put its own words. */
const paddingOf = (bytes: number): string =>
  ' after the upstream answered within its deadline and every replica agreed on the result of the batch that was due'
    .repeat(Math.ceil(Math.max(0, bytes) / 100))
    .slice(0, Math.max(0, bytes))

function envelope(event: object): string {
  const payload = JSON.stringify(event)
  return `{"event_id":"${ID_PLACE}"}\n{"type":"event","length":${payload.length}}\n${payload}\n`
}

type Parts = { readonly type: string; readonly large: number; readonly padding: string }

function eventOf(issue: number, { type, large, padding }: Parts): object {
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
          type,
          value: 'the payment provider returned a response that is not valid',
          mechanism: { type: 'generic', handled: false },
          stacktrace: {
            frames: Array.from({ length: LEAST_FRAMES + large }, (_, at) =>
              at < large ? largeFrame(at) : frame(at),
            ),
          },
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

/** As SDKs send the frames of an application: with the source around the line, and variables. */
function largeFrame(at: number): object {
  const draw = draws(at)
  const word = (): string => WORDS[draw(WORDS.length)] ?? ''
  const line = (): string => `    ${word()}_${word()} = self.${word()}.${word()}(${word()}, ${draw(100_000)})`
  return {
    ...frame(at),
    abs_path: `/srv/shop/services/step_${at}.py`,
    context_line: line(),
    pre_context: Array.from({ length: 3 }, line),
    post_context: Array.from({ length: 3 }, line),
    vars: {
      [word()]: `'${word()}-${draw(1e9)}'`,
      [word()]: `<${word()} ${draw(1e9)}>`,
      attempt: String(at % 3),
    },
  }
}

const WORDS =
  'order cart price stock offer coupon basket invoice tax refund parcel carrier address country currency amount rate limit window shard replica tenant session token header payload schema cursor batch retry budget clock queue worker lease lock owner parent child region zone bucket prefix digest stamp version branch commit build target source sink filter rule policy group member role scope grant key'.split(
    ' ',
  )

/** Each time the same: numbers below a bound, one after the other. */
function draws(seed: number): (below: number) => number {
  let state = (seed + 1) * 2654435761
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
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
