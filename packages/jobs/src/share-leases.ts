/**
 * Divides leases among the processes that are there, as evenly as they can be: each counts the others and takes what is free
 * until it has its share; who has more gives one back. The leases of a process that died end by the clock, those of one that
 * stops well are free at once.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, type Logger, SondeError, steadyMs } from '@sonde/base'
import { nowMs as recordsNowMs, type Records } from '@sonde/stores'
import { acquireLease, isLive, releaseLease, renewLease } from './lease.ts'

export type SharedLeasesOptions = {
  readonly records: Records
  readonly clock: Clock
  readonly logger: Logger
  /** The same in all processes. A word without `%` and `_`. */
  readonly group: string
  /** What there is to do, each by one process at a time. */
  readonly names: readonly string[]
  /** The work under a lease: until `held.signal` ends it. It may be called again later, here or elsewhere. */
  readonly run: (name: string, held: HeldShare) => Promise<void>
  /** Tests shorten them. */
  readonly leaseMs?: number
  readonly lookMs?: number
}

export type HeldShare = {
  /** Ends when the lease is to be given back or is lost. */
  readonly signal: AbortSignal
  /** Throws once the lease may be another's: to be asked before what cannot be taken back. */
  check(): void
  /**
   * In a transaction: throws when the lease is another's, else it is ours until the transaction ends. What a process that
   * was frozen still wants to write is thus refused, however late it comes.
   */
  fence(tx: Records): Promise<void>
}

export type SharedLeases = {
  /** Ends the work and gives all leases back. Idempotent. */
  stop(): Promise<void>
}

// A process that died is noticed after the first, its work is taken up within the second: together under 8 s. Shorter: a busy
// machine loses leases, and each moves with all that was read ahead.
const LEASE_MS = 6_000
const LOOK_MS = 1_500

type Holding = {
  readonly name: string
  readonly stopping: AbortController
  validUntilMs: number
  /** Once the work ended and the lease is given back. */
  ended: Promise<void>
}

export function shareLeases(options: SharedLeasesOptions): SharedLeases {
  const { records, clock, logger, group, names, run, leaseMs = LEASE_MS, lookMs = LOOK_MS } = options
  const owner = `${hostname()} ${process.pid} ${randomUUID()}`
  const leaseOf = (name: string) => ({ records, clock, name: leaseName(group, name), owner, leaseMs })
  const member = { ...leaseOf(''), name: `${group} member ${owner}` }
  const holdings = new Map<string, Holding>()
  const stopping = new AbortController()

  const hold = (name: string, validUntilMs: number): void => {
    const lost = new AbortController()
    const holding: Holding = {
      name,
      stopping: lost,
      validUntilMs,
      ended: Promise.resolve(),
    }
    const gone = (): SondeError => {
      lost.abort()
      return new SondeError('conflict', `${leaseName(group, name)} belongs to another process now`, {
        operation: 'work under a lease',
        subject: name,
      })
    }
    const held: HeldShare = {
      signal: lost.signal,
      check() {
        if (steadyMs(clock) >= holding.validUntilMs) throw gone()
      },
      async fence(tx) {
        if (!(await renewLease({ ...leaseOf(name), records: tx }))) throw gone()
      },
    }
    const work = async (): Promise<void> => {
      try {
        await run(name, held)
      } catch (error) {
        logger.error(
          { err: error, lease: leaseName(group, name) },
          'work under a lease failed; it begins anew',
        )
      }
      await releaseLease(leaseOf(name)).catch((error: unknown) => {
        logger.warn(
          { err: error, lease: leaseName(group, name) },
          'a lease was not released: it ends by itself',
        )
      })
      holdings.delete(name)
    }
    holdings.set(name, holding)
    holding.ended = work()
  }

  const renewAll = async (): Promise<void> => {
    // Of this process's clock, from before the records' began to count: it is over here first.
    const validUntilMs = steadyMs(clock) + leaseMs
    const rows = await records
      .updateTable('job_lease')
      .set({ expires_ms: recordsNowMs(leaseMs) })
      .where('owner', '=', owner)
      .returning('name')
      .execute()
    const ours = new Set(rows.map(({ name }) => name))
    if (!ours.has(member.name)) await acquireLease(member)
    for (const holding of holdings.values())
      if (ours.has(leaseName(group, holding.name))) holding.validUntilMs = validUntilMs
      else holding.stopping.abort()
  }

  const look = async (): Promise<void> => {
    await renewAll()
    const rows = await records
      .selectFrom('job_lease')
      .selectAll()
      .select(recordsNowMs().as('now_ms'))
      .where('name', 'like', `${group} %`)
      .execute()
    const live = rows.filter((row) => isLive(row.expires_ms, row.now_ms, leaseMs))
    const members = live.filter((row) => row.name.startsWith(`${group} member `)).length
    const share = Math.ceil(names.length / Math.max(1, members))
    const keeping = [...holdings.values()].filter((holding) => !holding.stopping.signal.aborted)
    for (const holding of keeping.slice(share)) holding.stopping.abort()
    const taken = new Set(live.map(({ name }) => name))
    const free = names.filter((name) => !taken.has(leaseName(group, name)) && !holdings.has(name))
    for (const name of free.slice(0, Math.max(0, share - keeping.length))) {
      const validUntilMs = steadyMs(clock) + leaseMs
      if (await acquireLease(leaseOf(name))) hold(name, validUntilMs)
    }
    const longGone = rows.filter(
      (row) => row.expires_ms < row.now_ms - leaseMs && row.name.startsWith(`${group} member `),
    )
    if (longGone.length > 0)
      await records
        .deleteFrom('job_lease')
        .where(
          'name',
          'in',
          longGone.map(({ name }) => name),
        )
        .where('expires_ms', '<', recordsNowMs())
        .execute()
  }

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => {
        logger.warn({ err: error, group }, 'leases could not be renewed; trying again')
        const atMs = steadyMs(clock)
        for (const holding of holdings.values()) if (atMs >= holding.validUntilMs) holding.stopping.abort()
      })
      // Not all processes at the same moment.
      const pauseMs = lookMs * (0.8 + 0.4 * Math.random())
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }
  const looping = loop()

  return {
    async stop() {
      stopping.abort()
      await looping
      const all = [...holdings.values()]
      for (const holding of all) holding.stopping.abort()
      await Promise.all(all.map(({ ended }) => ended))
      await releaseLease(member).catch(() => undefined)
    },
  }
}

const leaseName = (group: string, name: string): string => `${group} ${name}`
