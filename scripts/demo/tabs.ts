/**
 * Tabs that were open over the shop's deployments: what `tabs()` would have told of them, and of those that missed code.
 * Made up, as nobody waits for hours here; what visitors' own tabs went through is real and stands beside them.
 */
import { randomBytes } from 'node:crypto'
import { deployedAtMs } from './history.ts'
import { type Item, sendItems } from './send-items.ts'
import { RELEASES } from './shop.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Left on the release before, by each deployment. */
const LEFT = 412
const MISSED = 37
const STUCK = 2
const AN_ENVELOPE = 100
/** The open tabs are told again as the reporter does, for as long as the demo stays. */
const BEAT_MS = 4 * MINUTE_MS

type Tab = {
  readonly id: string
  readonly page: string
  readonly release: string
  readonly startedMs: number
}

/** Returns how many tabs, and what stops those that are open. */
export async function sendTabs(dsn: string): Promise<{ readonly tabs: number; readonly stop: () => void }> {
  const nowMs = Date.now()
  const spans = RELEASES.slice(1).flatMap((release, at) =>
    leftTabs(RELEASES[at] ?? release, release, deployedAtMs(at + 1, nowMs)),
  )
  await send(dsn, spans)
  const newest = RELEASES.at(-1) ?? RELEASES[0]
  const before = RELEASES.at(-2) ?? RELEASES[0]
  const open = Array.from({ length: 58 }, (_, n) =>
    newTab(n % 20 === 0 ? before : newest, nowMs - (n % 20 === 0 ? 60 * HOUR_MS : n * 3 * MINUTE_MS)),
  )
  const beat = (): Promise<void> =>
    send(
      dsn,
      open.map((tab) => tabSpan(tab, Date.now())),
    )
  await beat()
  const timer = setInterval(() => void beat().catch(() => undefined), BEAT_MS)
  return { tabs: RELEASES.slice(1).length * LEFT + open.length, stop: () => clearInterval(timer) }
}

/** Fewer and fewer of them; one in a hundred lives for more than a day. */
function leftTabs(old: string, next: string, deployedMs: number): object[] {
  return Array.from({ length: LEFT }, (_, n) => n).flatMap((n) => {
    const lastMs = deployedMs - 5.6 * HOUR_MS * Math.log((n + 0.5) / LEFT)
    const tab = newTab(old, deployedMs - ((n * 37) % 900) * MINUTE_MS)
    if (n >= MISSED) return [tabSpan(tab, lastMs)]
    const missedMs = deployedMs + (n + 1) * 11 * MINUTE_MS
    const after = { ...newTab(next, missedMs + 20_000), id: tab.id }
    return [
      tabSpan(tab, missedMs),
      failureSpan(tab, missedMs, n),
      ...(n < STUCK ? [] : [tabSpan(after, missedMs + HOUR_MS)]),
    ]
  })
}

const newTab = (release: string, startedMs: number): Tab => ({
  id: randomBytes(8).toString('hex'),
  page: randomBytes(8).toString('hex'),
  release,
  startedMs,
})

const tabSpan = (tab: Tab, seenMs: number): object =>
  span(tab, 'ui.tab', tab.page, [tab.startedMs, seenMs], {
    'sonde.tab.id': tab.id,
    'sonde.tab.build': tab.release,
  })

const failureSpan = (tab: Tab, atMs: number, n: number): object =>
  span(tab, 'ui.chunk_failure', randomBytes(8).toString('hex'), [atMs, atMs], {
    'sonde.chunk.kind': 'old_build',
    'sonde.chunk.url': `/assets/${['cart', 'account'][n % 2]}-${tab.release.replaceAll(/\D/g, '')}.js`,
    'sonde.chunk.build': tab.release,
    'sonde.chunk.route': ['/cart', '/account'][n % 2],
    'sonde.chunk.tab': tab.id,
    'sonde.chunk.page': tab.page,
  })

function span(
  { release, startedMs }: Tab,
  op: string,
  id: string,
  [fromMs, toMs]: readonly [number, number],
  attributes: Readonly<Record<string, unknown>>,
): object {
  const all = {
    'sentry.op': op,
    'sentry.release': release,
    'sentry.environment': 'production',
    'sentry.sdk.name': 'sonde.javascript.browser',
    'sonde.page_start': startedMs,
    ...attributes,
  }
  const typed = Object.entries(all).map(([key, value]) => [
    key,
    { type: typeof value === 'number' ? 'double' : 'string', value },
  ])
  return {
    trace_id: randomBytes(16).toString('hex'),
    span_id: id,
    name: op,
    status: 'ok',
    is_segment: false,
    start_timestamp: fromMs / 1000,
    end_timestamp: toMs / 1000,
    attributes: Object.fromEntries(typed),
  }
}

async function send(dsn: string, spans: readonly object[]): Promise<void> {
  const type = 'application/vnd.sentry.items.span.v2+json'
  for (let from = 0; from < spans.length; from += AN_ENVELOPE) {
    const items = spans.slice(from, from + AN_ENVELOPE)
    const item: Item = [
      { type: 'span', item_count: items.length, content_type: type },
      { version: 2, items },
    ]
    await sendItems(dsn, [item])
  }
}
