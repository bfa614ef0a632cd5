/**
 * A day of traffic with bursts, replayed with measured service times: `npm run bench -- --scale`. Nothing is sent; what comes
 * out holds as far as nodes of one kind share the work evenly, which the log's partitions are for.
 */
import { seededRandom } from './payloads/shop-app.ts'
import { MEASURED } from './scale/measured.ts'
import { poissonArrivals, type SimulationResult, simulate, type Station } from './scale/station.ts'

const DAY_SEC = 86_400
/** Share of the day's mean at night and at noon: 1 - SWING to 1 + SWING. */
const SWING = 0.6
const BURST = 10
const BURST_SEC = 600
const BURSTS_AT_SEC = [3, 11, 19].map((hour) => hour * 3600)
/** So many are simulated one by one; of more, several at once as one. */
const MAX_ARRIVALS = 400_000
const MAX_BATCH = 2_000
const GAP_SEC = 0.2
const SEED = 42

export type Nodes = { readonly ingest: number; readonly nats: number; readonly pipelines: number }
const PLANS: readonly { readonly perDay: number; readonly nodes: readonly Nodes[] }[] = [
  { perDay: 1e6, nodes: [{ ingest: 1, nats: 1, pipelines: 1 }] },
  {
    perDay: 1e8,
    nodes: [1, 2, 4, 8].map((pipelines) => ({ ingest: 4, nats: 2, pipelines })),
  },
  {
    perDay: 1e10,
    nodes: [32, 64, 128, 256].map((pipelines) => ({ ingest: 384, nats: 192, pipelines })),
  },
]

export function scale(): string {
  const lines = [
    '| events a day | cores of ingest (busy) | of NATS (busy) | pipelines (busy) | longest queue of the log | delay p50 | p99 | longest |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
  ]
  for (const { perDay, nodes } of PLANS)
    for (const each of nodes) {
      const { stations, delaySec } = simulateDay(perDay, each)
      const [accept, log, commit] = stations
      const busy = (count: number, of = 0): string => `${count} (${(of * 100).toFixed(0)} %)`
      const { ingest, nats, pipelines } = each
      const cells = [
        `10^${Math.round(Math.log10(perDay))}`,
        busy(ingest, accept?.busyShare),
        busy(nats, log?.busyShare),
        busy(pipelines, commit?.busyShare),
        Math.round((commit?.longestQueue ?? 0) * pipelines).toLocaleString('en'),
        time(delaySec.p50),
        time(delaySec.p99),
        time(delaySec.max),
      ]
      lines.push(`| ${cells.join(' | ')} |`)
    }
  return lines.join('\n')
}

/** One pipeline with its share of the day, and of the cores of the others. */
export function simulateDay(perDay: number, { ingest, nats, pipelines }: Nodes): SimulationResult {
  const perSec = perDay / DAY_SEC / pipelines
  const weight = Math.max(1, Math.ceil((perDay * meanFactor()) / pipelines / MAX_ARRIVALS))
  const share = (sec: number, cores: number) => (batch: number) => (sec * batch * pipelines) / cores
  const one = { servers: 1, maxBatch: 1, gapSec: 0 }
  const stations: Station[] = [
    { ...one, name: 'accept', serviceSec: share(MEASURED.acceptSec, ingest) },
    { ...one, name: 'log', serviceSec: share(MEASURED.logSec, nats) },
    {
      name: 'commit',
      servers: 1,
      maxBatch: MAX_BATCH,
      gapSec: GAP_SEC,
      serviceSec: (batch) => MEASURED.batchSec + MEASURED.inBatchSec * batch,
    },
  ]
  const rateAt = (sec: number): number => (perSec * factorAt(sec)) / weight
  const most = (perSec * (1 + SWING) * BURST) / weight
  return simulate(stations, poissonArrivals(seededRandom(SEED), DAY_SEC, rateAt, most), weight)
}

const isBurst = (sec: number): boolean => BURSTS_AT_SEC.some((at) => sec >= at && sec < at + BURST_SEC)
function factorAt(sec: number): number {
  const ofDay = 1 - SWING * Math.cos((2 * Math.PI * sec) / DAY_SEC)
  return isBurst(sec) ? ofDay * BURST : ofDay
}
/** Bursts come on top of the day's events. */
function meanFactor(): number {
  let sum = 0
  for (let minute = 0; minute < DAY_SEC / 60; minute++) sum += factorAt(minute * 60)
  return sum / (DAY_SEC / 60)
}

function time(sec: number): string {
  if (sec < 10) return `${sec.toPrecision(2)} s`
  return sec < 120 ? `${sec.toFixed(0)} s` : `${(sec / 60).toFixed(0)} min`
}
