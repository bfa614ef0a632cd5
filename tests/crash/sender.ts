/** Sends synthetic errors to one project, and remembers which of them were acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startGenerator, type Generator, type RunningJob } from '../../bench/load/start-generator.ts'
import type { LoadResult } from '../../bench/load/tally.ts'
import { envelopesOf, eventId, idPrefix, type Target } from '../../bench/load/template.ts'
import { pythonLikeEnvelopes } from '../../bench/payloads/python-like.ts'
import type { CreatedProject } from '../harness/api-client.ts'

export type Sender = {
  /** Sends until `stop`; `ratePerSec` undefined: as fast as answers come. */
  start(options: { readonly connections: number; readonly ratePerSec: number | undefined }): void
  stop(): Promise<LoadResult>
  /** Everything that was answered with 200 so far, over all runs. */
  readonly acknowledged: ReadonlySet<string>
  /** Whether an id is one of ours: an event may be stored whose 200 never arrived. */
  wasSent(id: string): boolean
  /** The issue that an event of ours belongs to. */
  titleOf(id: string): string
  close(): void
}

// Longer than any test: a run ends by `stop`.
const ENDLESS_MS = 600_000
const ISSUES = 100
const LOAD_WITHIN_MS = 30_000

/** `timeoutMs`: how long an answer may take; 5 s unless told. */
export async function startSender(
  port: number,
  project: CreatedProject,
  { timeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<Sender> {
  const generator: Generator = startGenerator()
  const prefix = idPrefix()
  const target: Target = envelopesOf(port, project)
  await generator.load('errors', pythonLikeEnvelopes(), target)
  const acknowledged = new Set<string>()
  let next = 0
  let job: RunningJob | undefined
  return {
    acknowledged,
    start({ connections, ratePerSec }) {
      job = generator.start({
        target,
        payloads: 'errors',
        connections,
        ratePerSec,
        durationMs: ENDLESS_MS,
        ...(timeoutMs !== undefined && { timeoutMs }),
        idPrefix: prefix,
        firstCounter: next,
        reportEvery: 1,
        onAccepted(accepted) {
          for (const [counter] of accepted) acknowledged.add(eventId(prefix, counter))
        },
      })
    },
    async stop() {
      job?.abort()
      const result = await job?.result
      if (!result) throw new Error('nothing was started')
      // Runs begin at multiples of the number of issues: so an id tells the issue.
      next = Math.ceil((next + result.scheduled) / ISSUES) * ISSUES
      return result
    },
    wasSent: (id) => id.startsWith(prefix) && counterOf(id) < next,
    titleOf: (id) => `BenchError${String(counterOf(id) % ISSUES).padStart(3, '0')}`,
    close: () => generator.stop(),
  }
}

function counterOf(id: string): number {
  return Number.parseInt(id.slice(16), 16)
}

/** Resolves when so many more were acknowledged than now: the load has begun, or goes on after a kill. */
export async function underLoad({ acknowledged }: Sender, more: number): Promise<void> {
  const wanted = acknowledged.size + more
  const endMs = Date.now() + LOAD_WITHIN_MS
  while (acknowledged.size < wanted) {
    if (Date.now() > endMs)
      throw new Error(`${acknowledged.size} of ${wanted} events were acknowledged in time`)
    await sleep(10)
  }
}
