/** One check of a monitor: asks, and judges the answer by what was said to be right. The first thing that is wrong is told. */
import type { Outgoing, ProbeResult } from '@sonde/outgoing'
import { readJsonPath, valueAt, valueText } from './json-path.ts'
import type { SecretHeaders, UptimeMonitor } from './monitor.ts'
import { isExpectedStatus } from './status-list.ts'
import type { UptimeOutcome } from './uptime-words.ts'

export type UptimeCheck = Pick<
  ProbeResult,
  'status' | 'bytes' | 'redirects' | 'address' | 'certificateUntilMs' | 'timings'
> & {
  readonly outcome: UptimeOutcome
  /** What was wrong; empty: nothing. */
  readonly reason: string
}

/** How much of a body is looked at. */
const MAX_BODY_BYTES = 256 * 1024
const MAX_REASON_CHARS = 500
const DAY_MS = 86_400_000

/** Never throws. What `signal` ended says nothing of the other side: whoever gave it knows. */
export async function checkMonitor(
  { probe }: Pick<Outgoing, 'probe'>,
  monitor: UptimeMonitor,
  secrets: SecretHeaders,
  nowMs: number,
  signal?: AbortSignal,
): Promise<UptimeCheck> {
  const { url, method, timeoutMs, maxRedirects, body } = monitor
  const headers = Object.fromEntries(
    monitor.headers.map(({ name, value, isSecret }) => [
      name.toLowerCase(),
      isSecret ? (secrets[name.toLowerCase()] ?? '') : value,
    ]),
  )
  const result = await probe({
    url,
    method,
    headers,
    timeoutMs,
    maxRedirects,
    maxBytes: MAX_BODY_BYTES,
    ...(body === '' ? {} : { body }),
    ...(signal && { signal }),
  })
  const [outcome, reason] = judge(monitor, result, nowMs)
  const { status, bytes, redirects, address, certificateUntilMs, timings } = result
  return {
    outcome,
    reason: withoutSecrets(reason, secrets).slice(0, MAX_REASON_CHARS),
    status,
    bytes,
    redirects,
    address,
    certificateUntilMs,
    timings,
  }
}

type Verdict = readonly [UptimeOutcome, string]

function judge(monitor: UptimeMonitor, result: ProbeResult, nowMs: number): Verdict {
  const { failure, status, timings, certificateUntilMs } = result
  if (monitor.dnsFailure !== undefined) return judgeName(monitor.dnsFailure, failure)
  if (failure) return [failure.kind, failure.text]
  if (!isExpectedStatus(monitor.statuses, status))
    return ['status', `the status was ${status}, not of ${monitor.statuses}`]
  const { maxResponseMs, certificateDays } = monitor
  if (maxResponseMs !== undefined && timings.totalMs > maxResponseMs)
    return ['response_time', `it took ${Math.round(timings.totalMs)} ms, more than ${maxResponseMs} ms`]
  const wrong = judgeBody(monitor, result)
  if (wrong !== undefined) return ['body', wrong]
  if (
    certificateDays !== undefined &&
    certificateUntilMs !== undefined &&
    certificateUntilMs < nowMs + certificateDays * DAY_MS
  )
    return [
      'certificate',
      `the certificate is valid until ${new Date(certificateUntilMs).toISOString()} only`,
    ]
  return ['up', '']
}

/** The name is not to be found: whoever has it again is worth an alarm. */
function judgeName(expected: string, failure: ProbeResult['failure']): Verdict {
  if (failure?.kind !== 'name') return ['unexpected_answer', 'the name was found']
  if (failure.text.toLowerCase().includes(expected.toLowerCase())) return ['up', '']
  return ['name', `${failure.text}: this does not contain ${expected}`]
}

/** Undefined: it is as it should be. */
function judgeBody(
  { contains, notContains, json }: UptimeMonitor,
  { body, isWhole }: ProbeResult,
): string | undefined {
  const part = isWhole ? 'the body' : `the first ${MAX_BODY_BYTES / 1024} kB of the body`
  for (const text of contains) if (!body.includes(text)) return `${part} does not contain "${cut(text)}"`
  for (const text of notContains) if (body.includes(text)) return `${part} contains "${cut(text)}"`
  if (json.length === 0) return undefined
  if (!isWhole) return `the body is longer than ${MAX_BODY_BYTES / 1024} kB, so its JSON was not read`
  let document: unknown
  try {
    document = JSON.parse(body)
  } catch {
    return 'the body is no JSON'
  }
  for (const { path, equals } of json) {
    const value = valueAt(document, readJsonPath(path) ?? [])
    if (value === undefined) return `the body has nothing at ${path}`
    if (valueText(value) !== equals) return `${path} is "${cut(valueText(value))}", not "${cut(equals)}"`
  }
  return undefined
}

const cut = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text)

// Servers repeat what they were sent.
const MIN_SECRET_CHARS = 4
const withoutSecrets = (text: string, secrets: SecretHeaders): string =>
  Object.values(secrets)
    .filter(({ length }) => length >= MIN_SECRET_CHARS)
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
