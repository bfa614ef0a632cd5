/**
 * What an event costs on embedded engines and on servers with the roles apart: processor time, of Sonde and of each
 * server, at full load and at a rate that leaves batches small. Then the same with a second pipeline.
 */
import { ENGINES } from './distributed/engine-servers.ts'
import {
  type Distributed,
  type Installation,
  startDistributed,
  startEmbedded,
} from './distributed/installation.ts'
import { type Generator, startGenerator } from './load/start-generator.ts'
import { idPrefix } from './load/template.ts'
import { pythonLikeEnvelopes } from './payloads/python-like.ts'
import { seededRandom } from './payloads/shop-app.ts'
import { pageLoadEnvelope } from './payloads/shop-traces.ts'
import { atMost, type Figure, median } from './report/figure.ts'

const MAX_RATIO = 1.5
const MAX_LOST_SHARE = 0.15
const PAGES = 400
const CONNECTIONS = 32
const MEASURED_MS = 600_000

type Load = {
  readonly name: string
  readonly payloads: string
  readonly count: number
  readonly ratePerSec?: number
}
const LOADS: readonly Load[] = [
  { name: 'errors at full load', payloads: 'errors', count: 6_000 },
  { name: 'errors at 100 a second', payloads: 'errors', count: 1_000, ratePerSec: 100 },
  { name: 'transactions at full load', payloads: 'pages', count: 2_000 },
]

/** Until what runs often is compiled, in each process. */
const WARM_UP: readonly Load[] = [
  { name: 'errors', payloads: 'errors', count: 6_000 },
  { name: 'transactions', payloads: 'pages', count: 1_000 },
]

/** Microseconds of processor time per envelope by part, and envelopes per batch. */
type Cost = { readonly parts: ReadonlyMap<string, number>; readonly perBatch: number }

export async function distributed(
  say: (text: string) => void,
  { rounds, partitions }: { readonly rounds: number; readonly partitions: number },
): Promise<Figure[]> {
  const generator = startGenerator()
  const embedded = await startEmbedded()
  const apart = await startDistributed(partitions).catch(async (error: unknown) => {
    generator.stop()
    await embedded.stop()
    throw error
  })
  try {
    await loadPayloads(generator, embedded)
    await loadPayloads(generator, apart)
    const measure = (one: Installation, load: Load) => measureLoad(generator, one, load)
    const warmUp = async (one: Installation): Promise<void> => {
      for (const load of WARM_UP) await measure(one, load)
    }
    await warmUp(embedded)
    await warmUp(apart)
    const costs = new Map<string, Cost[]>()
    const note = (key: string, cost: Cost): void => {
      costs.set(key, [...(costs.get(key) ?? []), cost])
      say(`${key}: ${describe(cost)}`)
    }
    for (let round = 0; round < rounds; round++)
      for (const load of LOADS)
        for (const one of round % 2 === 0 ? [embedded, apart] : [apart, embedded])
          note(keyOf(one, load), await measure(one, load))
    const [full] = LOADS
    if (!full) return []
    for (let round = 0; round < rounds; round++)
      for (const pipelines of round % 2 === 0 ? [2, 1] : [1, 2]) {
        await apart.pipelines(pipelines)
        await warmUp(apart)
        note(`pipelines: ${pipelines}`, await measure(apart, full))
      }
    return [...LOADS.flatMap((load) => figuresOf(costs, embedded, apart, load)), ...scaling(costs)]
  } finally {
    generator.stop()
    await embedded.stop()
    await apart.stop()
  }
}

const keyOf = ({ name }: Pick<Installation, 'name'>, load: Load): string => `${name}, ${load.name}`

async function loadPayloads(generator: Generator, { name, targets }: Installation): Promise<void> {
  const random = seededRandom(5)
  const atMs = Date.now() - 60_000
  const pages = Array.from({ length: PAGES }, () => pageLoadEnvelope(random, atMs))
  await generator.load(`${name} errors`, pythonLikeEnvelopes(), ...targets)
  await generator.load(`${name} pages`, pages, ...targets)
}

async function measureLoad(generator: Generator, one: Installation, load: Load): Promise<Cost> {
  const [target] = one.targets
  if (!target) throw new Error('there is no project')
  const stored = await one.stored()
  const before = one.spent()
  const { ok } = await generator.run({
    target,
    payloads: `${one.name} ${load.payloads}`,
    connections: CONNECTIONS,
    durationMs: MEASURED_MS,
    count: load.count,
    ratePerSec: load.ratePerSec,
    idPrefix: idPrefix(),
    firstCounter: 0,
  })
  if (ok !== load.count) throw new Error(`${ok} of ${load.count} requests were answered with 200`)
  await one.untilStored(stored, ok)
  const after = one.spent()
  const { batches } = await one.stored()
  return {
    parts: new Map([...after].map(([part, ms]) => [part, ((ms - (before.get(part) ?? 0)) / ok) * 1000])),
    perBatch: ok / (batches - stored.batches),
  }
}

const total = ({ parts }: Cost): number => [...parts.values()].reduce((sum, micros) => sum + micros, 0)
const isEngine = (part: string): boolean => ENGINES.some(({ name }) => name === part)
const ofSonde = ({ parts }: Cost): number =>
  [...parts].reduce((sum, [part, micros]) => (isEngine(part) ? sum : sum + micros), 0)
const medianOf = (costs: readonly Cost[], figure: (cost: Cost) => number): number => median(costs.map(figure))

function figuresOf(
  costs: ReadonlyMap<string, readonly Cost[]>,
  embedded: Installation,
  apart: Distributed,
  load: Load,
): Figure[] {
  const alone = costs.get(keyOf(embedded, load)) ?? []
  const several = costs.get(keyOf(apart, load)) ?? []
  const part = load.name
  const base = { name: 'embedded', value: medianOf(alone, total) }
  const all = medianOf(several, total)
  const unit = 'µs'
  const names = [...new Set(several.flatMap(({ parts }) => [...parts.keys()]))]
  return [
    {
      part,
      name: 'Sonde and its servers, per envelope',
      value: all,
      unit,
      against: base,
      budget: atMost(MAX_RATIO, all / base.value, `${MAX_RATIO * 100} %`),
    },
    { part, name: 'Sonde alone', value: medianOf(several, ofSonde), unit, against: base },
    ...names.map((name) => ({
      part,
      name: `  ${name}`,
      value: medianOf(several, ({ parts }) => parts.get(name) ?? 0),
      unit,
    })),
    {
      part,
      name: 'envelopes in a batch',
      value: medianOf(several, ({ perBatch }) => perBatch),
      unit: '',
      against: { name: 'embedded', value: medianOf(alone, ({ perBatch }) => perBatch) },
    },
  ]
}

/** Throughput per used core is one over the processor time of an envelope. */
function scaling(costs: ReadonlyMap<string, readonly Cost[]>): Figure[] {
  const one = costs.get('pipelines: 1') ?? []
  const two = costs.get('pipelines: 2') ?? []
  const figure = (name: string, of: (cost: Cost) => number): Figure => {
    const value = 1e6 / medianOf(two, of)
    const against = { name: 'one', value: 1e6 / medianOf(one, of) }
    const budget = {
      text: `≥ ${(1 - MAX_LOST_SHARE) * 100} %`,
      isMet: value >= (1 - MAX_LOST_SHARE) * against.value,
    }
    return { part: 'two pipelines', name, value, unit: '/s', against, budget }
  }
  return [
    figure('errors per second of processor time, Sonde', ofSonde),
    figure('errors per second of processor time, with servers', total),
  ]
}

function describe(cost: Cost): string {
  const parts = [...cost.parts].map(([part, micros]) => `${part} ${micros.toFixed(0)}`)
  return `${total(cost).toFixed(0)} µs (${parts.join(', ')}), ${cost.perBatch.toFixed(0)} in a batch`
}
