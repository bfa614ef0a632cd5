/**
 * Queues in a row, simulated event by event. A station has servers that each take one batch at a time: all that waits, up to
 * `maxBatch`, not sooner than `gapSec` after the server's batch before. How long a batch takes depends on its size alone.
 */
import type { Random } from '../payloads/shop-app.ts'
import { type Heap, createHeap } from './heap.ts'

export type Station = {
  readonly name: string
  readonly servers: number
  readonly maxBatch: number
  /** From the beginning of a server's batch to that of its next, unless that is full. */
  readonly gapSec: number
  /** Seconds for a batch of so many. */
  readonly serviceSec: (batch: number) => number
}

/** Of one station: what waited and for how long, from arrival to the end of the batch. */
export type StationResult = {
  readonly name: string
  readonly served: number
  readonly busyShare: number
  readonly longestQueue: number
  /** Of an event, until the batch with it begins. */
  readonly meanWaitSec: number
}
export type SimulationResult = {
  readonly stations: readonly StationResult[]
  /** From the arrival to the end of the last station. */
  readonly delaySec: { readonly p50: number; readonly p99: number; readonly max: number }
  readonly endSec: number
}

type Due =
  | {
      readonly kind: 'arrival'
      readonly at: number
      readonly station: number
      readonly born: readonly number[]
    }
  | {
      readonly kind: 'done'
      readonly at: number
      readonly station: number
      readonly born: readonly number[]
      readonly beganAt: number
    }
  | { readonly kind: 'look'; readonly at: number; readonly station: number }

/**
 * `arrivals`: seconds in their order; each goes through all stations. `weight`: how many events one arrival stands for, so
 * that a day of ten billion can be simulated: a station's batch counts them all.
 */
export function simulate(
  stations: readonly Station[],
  arrivals: Iterable<number>,
  weight = 1,
): SimulationResult {
  const states = stations.map((station) => createState(station))
  const delays: number[] = []
  const due: Heap<Due> = createHeap((one) => one.at)
  const source = arrivals[Symbol.iterator]()
  let endSec = 0
  const pullArrival = (): void => {
    const next = source.next()
    if (!next.done) due.push({ kind: 'arrival', at: next.value, station: 0, born: [next.value] })
  }
  const begin = (index: number, now: number): void => {
    const [station, state] = [stations[index], states[index]]
    if (!station || !state) return
    const most = Math.max(1, Math.floor(station.maxBatch / weight))
    while (state.waiting() > 0 && state.idle.length > 0) {
      const isFull = state.waiting() >= most
      const freeAt = state.idle[0] ?? now
      if (!isFull && freeAt > now) {
        // One look is enough: what comes meanwhile joins the batch.
        if (state.lookAt !== freeAt) due.push({ kind: 'look', at: freeAt, station: index })
        state.lookAt = freeAt
        return
      }
      state.idle.shift()
      const batch = state.take(most)
      for (const { since } of batch) state.waitSec += now - since
      const took = station.serviceSec(batch.length * weight)
      state.served += batch.length * weight
      state.busySec += took
      const born = batch.map((each) => each.born)
      due.push({ kind: 'done', at: now + took, station: index, born, beganAt: now })
    }
  }
  pullArrival()
  for (let one = due.pop(); one !== undefined; one = due.pop()) {
    const state = states[one.station]
    if (!state) continue
    endSec = Math.max(endSec, one.at)
    if (one.kind === 'arrival') {
      for (const born of one.born) state.queue.push({ since: one.at, born })
      state.longestQueue = Math.max(state.longestQueue, state.waiting() * weight)
      if (one.station === 0) pullArrival()
    } else if (one.kind === 'done') {
      state.release(one.at, one.beganAt)
      const next = one.station + 1
      if (next < stations.length) due.push({ kind: 'arrival', at: one.at, station: next, born: one.born })
      else for (const born of one.born) delays.push(one.at - born)
    }
    begin(one.station, one.at)
  }
  const sorted = Float64Array.from(delays).sort()
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return {
    stations: states.map((state, index) => ({
      name: stations[index]?.name ?? '',
      served: state.served,
      busyShare: state.busySec / (endSec * (stations[index]?.servers ?? 1)),
      longestQueue: state.longestQueue,
      meanWaitSec: (state.waitSec * weight) / Math.max(1, state.served),
    })),
    delaySec: { p50: at(0.5), p99: at(0.99), max: at(1) },
    endSec,
  }
}

function createState({ servers, gapSec }: Station) {
  const queue: { since: number; born: number }[] = []
  let head = 0
  /** When each free server may begin, the soonest first. */
  const idle: number[] = Array.from({ length: servers }, () => 0)
  return {
    queue,
    waiting: () => queue.length - head,
    /** The oldest; what is gone is dropped now and then, or a long queue would be moved with every batch. */
    take(most: number) {
      const batch = queue.slice(head, head + most)
      head += batch.length
      if (head > queue.length / 2) {
        queue.splice(0, head)
        head = 0
      }
      return batch
    },
    idle,
    lookAt: -1,
    served: 0,
    busySec: 0,
    waitSec: 0,
    longestQueue: 0,
    release(now: number, beganAt: number) {
      const free = Math.max(now, beganAt + gapSec)
      const at = idle.findIndex((other) => other > free)
      idle.splice(at === -1 ? idle.length : at, 0, free)
    },
  }
}

/** Times of a Poisson process whose rate changes: `rateAt` is at most `maxPerSec`. */
export function* poissonArrivals(
  random: Random,
  untilSec: number,
  rateAt: (sec: number) => number,
  maxPerSec: number,
): Generator<number> {
  for (let at = 0; ;) {
    at -= Math.log(1 - random()) / maxPerSec
    if (at >= untilSec) return
    if (random() * maxPerSec < rateAt(at)) yield at
  }
}
