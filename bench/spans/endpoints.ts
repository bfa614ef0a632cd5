/** Spans through the endpoints and the pipeline of a running Sonde: how many a second, and what the load is multiplied from. */
import {
  type ApiClient,
  apiClient,
  type CreatedProject,
  createProject,
} from '../../tests/harness/api-client.ts'
import { backPidOf } from '../../tests/harness/processes.ts'
import { startSonde, WITHOUT_SPIKE_LIMITS } from '../../tests/harness/start-sonde.ts'
import { type Generator, startGenerator } from '../load/start-generator.ts'
import { envelopesOf, idPrefix } from '../load/template.ts'
import { cpuMsOf } from '../machine/processes.ts'
import { ledgerEnvelope, vitalsEnvelope } from '../payloads/ledger-spans.ts'
import { sdkEnvelopes } from '../payloads/sdk-envelopes.ts'
import { type Random, seededRandom } from '../payloads/shop-app.ts'
import { pageLoadEnvelope, requestEnvelope, streamedEnvelope } from '../payloads/shop-traces.ts'
import type { Figure } from '../report/figure.ts'

/** Different envelopes of each kind; what is multiplied is as varied as they are. */
const DISTINCT = 400
/** For the rates: enough that starting and the last batch count for little. */
const MEASURED = 6_000
const CONNECTIONS = 32
const STUCK_AFTER_MS = 30_000

export async function sendThroughEndpoints(dataDir: string, say: (text: string) => void): Promise<Figure[]> {
  const running = await startSonde({ dataDir, env: WITHOUT_SPIKE_LIMITS })
  const generator = startGenerator()
  try {
    const api = apiClient(running)
    const shop = createProject(running, 'acme/shop')
    const service = createProject(running, 'acme/api', 'node')
    const send = sender(generator, running.port)
    const front = running.child.pid ?? 0
    const cpuMs = (): number =>
      [front, backPidOf(front) ?? 0].reduce((sum, pid) => sum + (cpuMsOf(pid) ?? 0), 0)
    await send('errors', service, await sdkEnvelopes(DISTINCT), DISTINCT)
    await send('requests', service, drawn(requestEnvelope), DISTINCT)
    await send('ledger', shop, drawn(ledgerEnvelope), DISTINCT)
    let pages = await send('vitals', shop, drawn(vitalsEnvelope), DISTINCT)
    await untilPages(api, shop, pages)
    const figures: Figure[] = []
    for (const [name, draw] of [
      ['transactions', pageLoadEnvelope],
      ['span containers', streamedEnvelope],
    ] as const) {
      const envelopes = drawn(draw)
      const startedMs = Date.now()
      const cpuBefore = cpuMs()
      const sent = await send(name, shop, envelopes, MEASURED)
      const endedMs = await untilPages(api, shop, (pages += sent))
      const spans = sent * spansOf(envelopes)
      const perSec = spans / ((endedMs - startedMs) / 1000)
      say(`${name}: ${Math.round(perSec).toLocaleString('en')} spans/s, until they can be queried`)
      const bytes =
        envelopes.reduce((sum, each) => sum + each.length, 0) / spansOf(envelopes) / envelopes.length
      figures.push(
        {
          part: 'spans',
          name: `spans a second end to end, ${name} (${spansOf(envelopes).toFixed(1)} spans each)`,
          value: perSec,
          unit: '/s',
        },
        {
          part: 'spans',
          name: `processor time per span, ${name}, front + back`,
          value: ((cpuMs() - cpuBefore) * 1000) / spans,
          unit: 'µs',
        },
        { part: 'spans', name: `JSON received per span, ${name}`, value: bytes, unit: 'B' },
      )
    }
    const code = await running.stop()
    if (code !== 0) throw new Error(`Sonde ended with ${code}\n${running.log()}`)
    return figures
  } finally {
    running.child.kill('SIGKILL')
    generator.stop()
  }
}

function drawn(draw: (random: Random, atMs: number) => string): string[] {
  const random = seededRandom(5)
  const nowMs = Date.now() - 60_000
  return Array.from({ length: DISTINCT }, () => draw(random, nowMs))
}

const spansOf = (envelopes: readonly string[]): number =>
  envelopes.reduce((sum, envelope) => sum + envelope.split('"span_id"').length - 1, 0) / envelopes.length

function sender(generator: Generator, port: number) {
  // Ids of spans are made of it: no two pages may have the same.
  let firstCounter = 1
  return async (name: string, project: CreatedProject, envelopes: readonly string[], count: number) => {
    const target = envelopesOf(port, project)
    await generator.load(name, envelopes, target)
    const { ok } = await generator.run({
      target,
      payloads: name,
      connections: CONNECTIONS,
      durationMs: 600_000,
      count,
      ratePerSec: undefined,
      idPrefix: idPrefix(),
      firstCounter,
    })
    firstCounter += count
    return ok
  }
}

type RouteCount = { readonly lcp?: { readonly count: number } }

/** Each page told one LCP: when that many are counted, all that was sent before can be queried. Returns when. */
async function untilPages(api: ApiClient, { org, project }: CreatedProject, pages: number): Promise<number> {
  let seen = -1
  let movedMs = Date.now()
  for (;;) {
    const { body } = await api.get<readonly RouteCount[]>(
      `/api/0/projects/${org}/${project}/vitals/?statsPeriod=24h`,
    )
    const now = body.reduce((sum, { lcp }) => sum + (lcp?.count ?? 0), 0)
    if (now >= pages) return Date.now()
    if (now !== seen) movedMs = Date.now()
    if (Date.now() - movedMs > STUCK_AFTER_MS)
      throw new Error(`${now} of ${pages} pages can be queried, and no more come`)
    seen = now
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
