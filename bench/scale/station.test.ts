/** The simulation against queues whose answer is known. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '../payloads/shop-app.ts'
import { simulateDay } from '../scale.ts'
import { poissonArrivals, type Station, simulate } from './station.ts'

const one: Station = { name: 'one', servers: 1, maxBatch: 1, gapSec: 0, serviceSec: () => 1 }
const everySecond = (count: number, perSec: number): number[] =>
  Array.from({ length: count }, (_, at) => at / perSec)
const isNear = (value: number, expected: number, share: number): void =>
  assert.ok(Math.abs(value - expected) <= share * expected, `${value} instead of ${expected}`)

describe('the simulation of queues', () => {
  for (const load of [0.3, 0.5, 0.8])
    it(`waits as long as M/D/1 at a load of ${load}: load / (2 (1 - load))`, () => {
      const arrivals = poissonArrivals(seededRandom(1), 300_000, () => load, load)
      const [station] = simulate([one], arrivals).stations
      isNear(station?.meanWaitSec ?? 0, load / (2 * (1 - load)), 0.03)
      isNear(station?.busyShare ?? 0, load, 0.01)
    })

  it('with a second server is busy half as much, and waits less than a third as long', () => {
    const arrivals = () => poissonArrivals(seededRandom(1), 100_000, () => 0.8, 0.8)
    const [single] = simulate([one], arrivals()).stations
    const [double] = simulate([{ ...one, servers: 2 }], arrivals()).stations
    isNear(double?.busyShare ?? 0, (single?.busyShare ?? 0) / 2, 0.01)
    assert.ok((double?.meanWaitSec ?? 1) < (single?.meanWaitSec ?? 0) / 3)
  })

  it('gathers what is too much, and works it off', () => {
    // 1,000 s at 2 a second, served at 1 a second: 1,000 wait at the end, the last of them 1,000 s.
    const { stations, delaySec, endSec } = simulate([one], everySecond(2_000, 2))
    isNear(stations[0]?.longestQueue ?? 0, 1_000, 0.01)
    isNear(delaySec.max, 1_000, 0.01)
    isNear(endSec, 2_000, 0.01)
  })

  it('takes what waits as one batch, at most so many, with the gap between two', () => {
    const batches: number[] = []
    const station: Station = {
      ...one,
      maxBatch: 50,
      gapSec: 10,
      serviceSec: (batch) => (batches.push(batch), 1),
    }
    const { stations, delaySec } = simulate([station], everySecond(100, 1))
    // The first alone, then what came until each gap was over.
    assert.deepEqual(batches.slice(0, 4), [1, 9, 10, 10])
    assert.equal(
      batches.reduce((sum, batch) => sum + batch, 0),
      100,
    )
    assert.equal(stations[0]?.served, 100)
    // Comes as a batch has just begun: the gap, and its own batch.
    isNear(delaySec.max, 11, 0.01)
    batches.length = 0
    simulate(
      [station],
      Array.from({ length: 120 }, () => 0),
    )
    assert.deepEqual(batches, [1, 50, 50, 19])
  })

  it('hands on from station to station: the slowest decides', () => {
    const fast: Station = { ...one, serviceSec: () => 0.25 }
    const { stations, delaySec } = simulate([fast, one], everySecond(500, 0.5))
    assert.deepEqual(
      stations.map(({ served }) => served),
      [500, 500],
    )
    isNear(delaySec.p50, 1.25, 0.001)
  })

  it('counts several at once as one arrival, with the same load', () => {
    const batching: Station = { ...one, maxBatch: 1_000, serviceSec: (batch) => 0.1 + batch * 0.0005 }
    const run = (weight: number) => {
      const perSec = 1_000 / weight
      return simulate(
        [batching],
        poissonArrivals(seededRandom(3), 200, () => perSec, perSec),
        weight,
      )
    }
    isNear(run(10).stations[0]?.busyShare ?? 0, run(1).stations[0]?.busyShare ?? 0, 0.03)
    isNear(run(10).delaySec.p50, run(1).delaySec.p50, 0.05)
  })

  it('says the same for the same day', () => {
    const nodes = { ingest: 1, nats: 1, pipelines: 1 }
    assert.deepEqual(simulateDay(20_000, nodes), simulateDay(20_000, nodes))
  })
})
