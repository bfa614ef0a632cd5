/**
 * Figure 1: requests that are answered with 200 after their bytes are on disk, by one core, against a node:http that
 * throws the same bytes away. Both run at the same time and are loaded in turn, so that a busy machine disturbs both.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Listening } from './accept/report-listening.ts'
import { type Generator, startGenerator } from './load/start-generator.ts'
import { idPrefix, type Target } from './load/template.ts'
import { cpuMsOf, otherProcessors, pinTo } from './machine/processes.ts'
import { sdkEnvelopeOf } from './payloads/sdk-envelopes.ts'
import { atLeast, type Figure, median } from './report/figure.ts'

const BODY_BYTES = 6_600
const CONNECTIONS = 64
const ROUNDS = 5
const ROUND_MS = 1_500
const WARM_UP_MS = 1_500
const PUBLIC_KEY = 'be9c'.repeat(8)
const MEASURED_PROCESSOR = 0

export async function accept(): Promise<Figure[]> {
  const dir = mkdtempSync(join(process.env['SONDE_BENCH_DIR'] ?? tmpdir(), 'sonde-bench-accept-'))
  const generator = startGenerator()
  pinTo(generator.pid, otherProcessors(MEASURED_PROCESSOR))
  const servers = [await serve('bare', []), await serve('ingest', [join(dir, 'log'), PUBLIC_KEY])] as const
  try {
    const envelope = await sdkEnvelopeOf(BODY_BYTES)
    for (const { name, target } of servers) await generator.load(name, [envelope], target)
    for (const server of servers) await round(generator, server, WARM_UP_MS)
    const bare: Round[] = []
    const durable: Round[] = []
    for (let at = 0; at < ROUNDS; at++) {
      bare.push(await round(generator, servers[0], ROUND_MS))
      durable.push(await round(generator, servers[1], ROUND_MS))
    }
    return figures(bare, durable)
  } finally {
    generator.stop()
    for (const { child } of servers) child.disconnect()
    rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

type Server = { readonly name: string; readonly child: ChildProcess; readonly target: Target }
type Round = { readonly perSec: number; readonly cpuMicros: number; readonly p99Ms: number }

async function serve(name: 'bare' | 'ingest', args: readonly string[]): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'accept', `${name}-server.ts`), [...args])
  const { port } = await new Promise<Listening>((resolve, reject) => {
    child.once('message', (message: Listening) => resolve(message))
    child.once('exit', (code) => reject(new Error(`the ${name} server ended with ${code}`)))
  })
  pinTo(child.pid ?? 0, [MEASURED_PROCESSOR])
  return { name, child, target: { host: '127.0.0.1', port, path: '/api/1/envelope/', publicKey: PUBLIC_KEY } }
}

async function round(
  generator: Generator,
  { name, child, target }: Server,
  durationMs: number,
): Promise<Round> {
  const pid = child.pid ?? 0
  const cpuBeforeMs = cpuMsOf(pid) ?? Number.NaN
  const result = await generator.run({
    target,
    payloads: name,
    connections: CONNECTIONS,
    durationMs,
    ratePerSec: undefined,
    idPrefix: idPrefix(),
    firstCounter: 0,
  })
  if (result.ok !== result.scheduled) throw new Error(`${name}: not all were 200: ${JSON.stringify(result)}`)
  const cpuMs = (cpuMsOf(pid) ?? Number.NaN) - cpuBeforeMs
  return {
    perSec: (result.ok / result.tookMs) * 1000,
    cpuMicros: (cpuMs / result.ok) * 1000,
    p99Ms: result.latencyMs.p99,
  }
}

function figures(bare: readonly Round[], durable: readonly Round[]): Figure[] {
  const of = (rounds: readonly Round[], key: keyof Round): number => median(rounds.map((each) => each[key]))
  const ratio = median(durable.map((each, at) => each.perSec / (bare[at]?.perSec ?? Number.NaN)))
  const part = 'accept'
  return [
    {
      part,
      name: 'accepted durably, 6.6 kB, one core',
      value: of(durable, 'perSec'),
      unit: '/s',
      // The median of the rounds' ratios: what both have in common in a round cancels out.
      against: { name: 'bare node:http', value: of(durable, 'perSec') / ratio },
      budget: atLeast(0.6, ratio, '60 %'),
    },
    {
      part,
      name: 'processor time per request',
      value: of(durable, 'cpuMicros'),
      unit: 'µs',
      against: { name: 'bare node:http', value: of(bare, 'cpuMicros') },
    },
    { part, name: `p99 at ${CONNECTIONS} connections`, value: of(durable, 'p99Ms'), unit: 'ms' },
  ]
}
