/**
 * The one loop of all background work: it looks for work at the start, when it is woken, and now and then; takes the job's
 * lease, works, and releases the lease. A node that does not get the lease waits. After an error it tries again, later each time.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bus, type Clock, inScope, inSpan, type Logger, type Tracer, steadyMs } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { acquireLease, type Lease, releaseLease, renewLease } from './lease.ts'
import type { RecordsWatch } from './records-watch.ts'

export type Job = {
  /** Name of its lease: the same on all nodes. */
  readonly name: string
  /** Asked without the lease and often, so it must be cheap. Without it there may always be work. */
  readonly hasWork?: () => Promise<boolean>
  /**
   * Instead of `hasWork`, where the records and the clock alone decide: when there is work, in Unix milliseconds (0: now), or
   * undefined: not before the records change. With `JobHost.watch` it is asked again only then.
   */
  readonly dueMs?: () => Promise<number | undefined>
  /**
   * Works until nothing is left or the signal ends. Never called twice at once, on all nodes together. May be cut anywhere
   * by a crash and is then called again, possibly on another node. What it throws is logged, and it is called again.
   */
  readonly run: (signal: AbortSignal) => Promise<JobEnd>
  /** How often it looks for work that nobody woke it for: the command line and other nodes cannot. */
  readonly lookEveryMs: number
}

/** For `Job.dueMs`, where there is work now or not before the records change. */
export const dueNow = (hasWork: boolean): 0 | undefined => (hasWork ? 0 : undefined)

/** `againInMs`: what is left waits for something else; the lease is kept meanwhile. */
export type JobEnd = 'done' | { readonly againInMs: number }

export type JobHost = {
  readonly records: Records
  readonly clock: Clock
  readonly logger: Logger
  readonly tracer?: Tracer
  /** Says when the records changed; without it each job looks by itself. */
  readonly watch?: RecordsWatch
  /** Wakes the job by `job.wake`, from any node. */
  readonly bus?: Bus
  /** Tests shorten it. */
  readonly leaseMs?: number
}

export type RunningJob = {
  /** Looks now; during work: once more afterwards. */
  wake(): void
  /** Ends the step in hand and releases the lease; the rest is left to the next start or to another node. Idempotent. */
  stop(): Promise<void>
}

// Renewed three times as often. Longer: the work of a node that died waits longer. Shorter: a busy machine loses it.
const LEASE_MS = 30_000
// Another node works: a look costs one statement that changes nothing.
const LEASE_LOOK_MS = 1_000
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 60_000

/** Milliseconds, or what `RecordsWatch.after` waits for. */
type Pause = number | Parameters<RecordsWatch['after']>[0]

export function startJob(host: JobHost, job: Job): RunningJob {
  const { logger, leaseMs = LEASE_MS } = host
  const owner = `${hostname()} ${process.pid} ${randomUUID()}`
  const lease: Lease = { ...host, name: job.name, owner, leaseMs }
  const stopping = new AbortController()
  let wakeUp = new AbortController()
  let held: HeldLease | undefined

  const release = async (): Promise<void> => {
    const now = held
    held = undefined
    await now?.release()
  }

  /** How long to wait afterwards, at most. */
  const turn = async (): Promise<Pause> => {
    if (held?.signal.aborted) await release()
    if (!held) {
      if (job.hasWork && !(await job.hasWork())) return job.lookEveryMs
      if (job.dueMs) {
        const mark = host.watch?.mark()
        const dueMs = await job.dueMs()
        if ((dueMs ?? Infinity) > host.clock.nowMs())
          return mark === undefined ? job.lookEveryMs : { mark, dueMs, gapMs: job.lookEveryMs }
      }
      const validUntilMs = steadyMs(host.clock) + leaseMs
      if (!(await acquireLease(lease))) return Math.min(LEASE_LOOK_MS, job.lookEveryMs)
      held = holdLease(lease, validUntilMs, logger)
    }
    const { signal } = held
    const span = host.tracer?.root({ name: `job ${job.name}` })
    const end = await inSpan(span, () => job.run(AbortSignal.any([signal, stopping.signal])))
    if (signal.aborted) return 0
    if (end !== 'done') return end.againInMs
    await release()
    return job.lookEveryMs
  }

  const pause = async (wait: Pause, signal: AbortSignal): Promise<void> => {
    if (typeof wait === 'object') await host.watch?.after(wait, signal)
    else await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined)
  }

  const loop = async (): Promise<void> => {
    let failures = 0
    while (!stopping.signal.aborted) {
      // Taken before the work: whoever wakes it during the work is heard after it.
      const { signal: woken } = wakeUp
      try {
        const wait = await turn()
        failures = 0
        await pause(wait, AbortSignal.any([woken, stopping.signal]))
      } catch (error) {
        if (stopping.signal.aborted) break
        const lost = held?.signal.aborted
        if (!lost) logger.error({ err: error, job: job.name }, 'background work failed; trying again')
        await release().catch(() => undefined)
        const retryMs = lost ? LEASE_LOOK_MS : FIRST_RETRY_MS * 2 ** Math.min(failures++, 10)
        await pause(Math.min(LONGEST_RETRY_MS, retryMs), stopping.signal)
      }
      if (woken.aborted) wakeUp = new AbortController()
    }
    await release().catch((error: unknown) => {
      logger.warn({ err: error, job: job.name }, 'a lease was not released: it ends by itself')
    })
  }
  const running = inScope({ origin: `job ${job.name}` }, loop)
  const wake = (): void => wakeUp.abort()
  const unsubscribe = [
    host.bus?.subscribe('job.wake', ({ job: woken }) => woken === job.name && wake()),
    // Somebody may have woken it while nothing could be heard.
    host.bus?.onConnect(wake),
  ]
  return {
    wake,
    async stop() {
      for (const each of unsubscribe) each?.()
      stopping.abort()
      await running
    },
  }
}

type HeldLease = {
  /** Aborted once the lease is another's or may be. */
  readonly signal: AbortSignal
  release(): Promise<void>
}

/** `validUntilMs`: by this process's own clock, counted from before the lease was asked for. */
function holdLease(lease: Lease, validUntilMs: number, logger: Logger): HeldLease {
  const { clock, leaseMs, name } = lease
  const lost = new AbortController()
  let untilMs = validUntilMs
  let renewing: Promise<void> | undefined

  const renew = async (): Promise<void> => {
    const renewedUntilMs = steadyMs(clock) + leaseMs
    try {
      if (await renewLease(lease)) untilMs = renewedUntilMs
      else lost.abort(new Error(`the lease of ${name} is another process's`))
    } catch (error) {
      logger.warn({ err: error, job: name }, 'a lease could not be renewed; trying again')
      if (steadyMs(clock) >= untilMs) lost.abort(error)
    }
  }
  const timer = setInterval(() => {
    renewing ??= renew().finally(() => (renewing = undefined))
  }, leaseMs / 3)
  timer.unref()
  return {
    signal: lost.signal,
    async release() {
      clearInterval(timer)
      await renewing
      await releaseLease(lease)
    },
  }
}
