/** What every bus must do, as tests against the interface alone. Run by each implementation's own test file. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_BUS_PEOPLE } from './bus-message.ts'
import type { Bus } from './bus.ts'

export type OpenBuses = {
  /** Of one Sonde; the same one twice where there is one process only. */
  readonly nodes: readonly [Bus, Bus]
  close(): Promise<void>
}

const WITHIN_MS = 10_000
/** Each once: those that are still under way must not be taken for a later one. */
const LAST = 'last word'
let lastWords = 0

async function until(isSo: () => boolean, what: string): Promise<void> {
  const endMs = Date.now() + WITHIN_MS
  while (!isSo()) {
    if (Date.now() > endMs) throw new Error(`waited in vain until ${what}`)
    await sleep(1)
  }
}

/** Resolves once `to` hears `from`: what `from` published before on this topic was heard, or never will be. */
export async function settled(from: Bus, to: Bus): Promise<void> {
  const last = `${LAST} ${++lastWords}`
  let isHeard = false
  const stop = to.subscribe('job.wake', ({ job }) => {
    if (job === last) isHeard = true
  })
  await until(() => {
    if (!isHeard) from.publish('job.wake', { job: last })
    return isHeard
  }, 'the other node hears')
  stop()
}

export function busConformance(name: string, open: () => Promise<OpenBuses>): void {
  const withBuses = (title: string, run: (here: Bus, there: Bus) => Promise<void>): void => {
    void test(title, async () => {
      const { nodes, close } = await open()
      try {
        await run(...nodes)
      } finally {
        await close()
      }
    })
  }
  const jobsOf = (bus: Bus): string[] => {
    const jobs: string[] = []
    bus.subscribe('job.wake', ({ job }) => job.startsWith(LAST) || jobs.push(job))
    return jobs
  }

  void describe(`the bus ${name}`, () => {
    withBuses('tells every subscriber on every node once, in order, after publish returned', async (a, b) => {
      const heard = [jobsOf(a), jobsOf(a), jobsOf(b)]
      await settled(a, b)
      const jobs = Array.from({ length: 200 }, (_, at) => `job ${at}`)
      for (const job of jobs) a.publish('job.wake', { job })
      assert.deepEqual(heard[0], [], 'publish returned first')
      await settled(a, b)
      assert.deepEqual(heard, [jobs, jobs, jobs])
    })

    withBuses('keeps topics apart, and what is in a message', async (a, b) => {
      const changed = { projects: [1, 2], issues: [3, 2 ** 40], created: [], regressed: [3] }
      const got: unknown[] = []
      const jobs = jobsOf(b)
      b.subscribe('issues.changed', (message) => got.push(message))
      await settled(a, b)
      a.publish('issues.changed', changed)
      await until(() => got.length > 0, 'it is heard')
      await settled(a, b)
      assert.deepEqual([got, jobs], [[changed], []])
    })

    withBuses('carries whose inboxes changed, as many people as a message may name', async (a, b) => {
      const users = Array.from({ length: MAX_BUS_PEOPLE }, (_, at) => `${at}`.padStart(32, 'x'))
      const got: unknown[] = []
      b.subscribe('inbox.changed', (message) => got.push(message))
      await settled(a, b)
      a.publish('inbox.changed', { users })
      await until(() => got.length > 0, 'it is heard')
      assert.deepEqual(got, [{ users }])
    })

    withBuses('carries what a large commit changed, in its place', async (a, b) => {
      const ids = Array.from({ length: 20_000 }, (_, at) => 1_000_000 + at)
      const sizes: number[] = []
      b.subscribe('issues.changed', ({ issues }) => sizes.push(issues.length))
      await settled(a, b)
      for (const issues of [[7], ids, [7, 8]])
        a.publish('issues.changed', { projects: [1], issues, created: issues, regressed: [] })
      await until(() => sizes.length === 3, 'all are heard')
      assert.deepEqual(sizes, [1, 20_000, 2])
    })

    withBuses('tells the others when one listener throws, and nobody who unsubscribed', async (a, b) => {
      b.subscribe('job.wake', () => {
        throw new Error('no')
      })
      const gone: string[] = []
      const stop = b.subscribe('job.wake', ({ job }) => gone.push(job))
      const jobs = jobsOf(b)
      stop()
      stop()
      await settled(a, b)
      a.publish('job.wake', { job: 'one' })
      await settled(a, b)
      assert.deepEqual([jobs, gone], [['one'], []])
    })
  })
}
