/** Figure 3: from the 200 to the answer of the API that has the event, at half the load that can be kept up with. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Generator } from './load/start-generator.ts'
import { type LoadResult, type Percentiles, percentiles } from './load/tally.ts'
import { eventId, idPrefix, type Target } from './load/template.ts'
import type { MeasuredSonde } from './measured-sonde.ts'
import { atMost, type Figure } from './report/figure.ts'

const DURATION_MS = 20_000
const CONNECTIONS = 32
// Each answer costs the back several queries: with 20 a second the asking was what took long, by a factor of five.
const SAMPLES_PER_SEC = 5
const ASK_EVERY_MS = 20
const ASK_EVERY_SHARE = 0.1
const GIVEN_UP_AFTER_MS = 20_000

export async function visibleAfter(
  { target, api, project }: MeasuredSonde,
  generator: Generator,
  payloads: string,
  ratePerSec: number,
): Promise<Figure[]> {
  const isVisible = async (id: string): Promise<boolean> =>
    (await api.get(`/api/0/projects/${project.org}/${project.project}/events/${id}/`)).status === 200
  const { sent, visibleMs } = await measureVisible({ target, isVisible }, generator, payloads, ratePerSec)
  const { p50, p99, max } = visibleMs
  const part = 'visible'
  const rate = `${Math.round(sent.ok / (sent.tookMs / 1000)).toLocaleString('en')}/s`
  return [
    { part, name: `from 200 to queryable at ${rate}, p50`, value: p50, unit: 'ms' },
    { part, name: 'p99', value: p99, unit: 'ms', budget: atMost(1_000, p99, '1 s') },
    { part, name: 'longest', value: max, unit: 'ms' },
  ]
}

type Seen = { readonly target: Target; isVisible(eventId: string): Promise<boolean> }

/** An open loop of twenty seconds; some of its events are asked for until they are there. */
export async function measureVisible(
  { target, isVisible }: Seen,
  generator: Generator,
  payloads: string,
  ratePerSec: number,
): Promise<{ readonly sent: LoadResult; readonly visibleMs: Percentiles }> {
  const prefix = idPrefix()
  const asked: Promise<number>[] = []
  const sent = await generator.run({
    target,
    payloads,
    connections: CONNECTIONS,
    durationMs: DURATION_MS,
    ratePerSec,
    idPrefix: prefix,
    firstCounter: 0,
    reportEvery: Math.max(1, Math.round(ratePerSec / SAMPLES_PER_SEC)),
    onAccepted(accepted) {
      for (const [counter, atMs] of accepted)
        asked.push(untilVisible(isVisible, eventId(prefix, counter), atMs))
    },
  })
  return { sent, visibleMs: percentiles(await Promise.all(asked)) }
}

async function untilVisible(isVisible: Seen['isVisible'], id: string, acceptedMs: number): Promise<number> {
  for (;;) {
    const isThere = await isVisible(id)
    const tookMs = Date.now() - acceptedMs
    if (isThere) return tookMs
    if (tookMs > GIVEN_UP_AFTER_MS) throw new Error(`event ${id} cannot be queried after ${tookMs} ms`)
    await sleep(Math.max(ASK_EVERY_MS, tookMs * ASK_EVERY_SHARE))
  }
}
