/**
 * Who runs the next statement of the console: organizations take turns, so that one which always has something to run
 * makes the others wait for one statement, not for all of its. Every wait is bounded, and who would wait longer is told.
 * One statement runs at a time, also of several nodes; turns and bounds are of each node.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TakeConsoleSlot } from '../query-deps.ts'
import { SqlRefused } from './sql-refused.ts'

export type StatementQueue = {
  /** Throws `SqlRefused` instead of waiting too long. A person (`actor`) has one statement at a time. */
  run<Result>(who: StatementOwner, job: () => Promise<Result>): Promise<Result>
}
export type StatementOwner = { readonly orgId: number; readonly actor: string }

export type StatementQueueLimits = {
  /** Of one organization, the one that runs among them. */
  readonly perOrg: number
  readonly inAll: number
  readonly waitMs: number
  readonly takeConsoleSlot?: TakeConsoleSlot | undefined
}

/** Two others of the same organization, and a wait below the time in which a request is answered. */
export const STATEMENT_LIMITS: StatementQueueLimits = { perOrg: 3, inAll: 12, waitMs: 30_000 }
const SOON = 'Try in a few seconds.'
// A statement in the other node takes a second as a rule.
const LOOK_AGAIN_MS = 100

type Waiting = { readonly orgId: number; readonly go: () => void }

export function createStatementQueue(limits: StatementQueueLimits): StatementQueue {
  const actors = new Set<string>()
  const counts = new Map<number, number>()
  let waiting: readonly Waiting[] = []
  let isBusy = false
  /** Organizations, the one that ran last at the end. */
  let turns: readonly number[] = []

  const count = (orgId: number, more: number): void => {
    const left = (counts.get(orgId) ?? 0) + more
    if (left > 0) counts.set(orgId, left)
    else {
      counts.delete(orgId)
      turns = turns.filter((each) => each !== orgId)
    }
  }
  const begin = (orgId: number): void => {
    isBusy = true
    turns = [...turns.filter((each) => each !== orgId), orgId]
  }
  const next = (): void => {
    isBusy = false
    const order = (one: Waiting): number => turns.indexOf(one.orgId)
    // Stable, and -1 for who has not run yet: those are first, in the order in which they came.
    const [first] = waiting.toSorted((a, b) => order(a) - order(b))
    if (!first) return
    waiting = waiting.filter((one) => one !== first)
    begin(first.orgId)
    first.go()
  }
  const turn = (orgId: number): Promise<void> => {
    if (!isBusy) {
      begin(orgId)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting = waiting.filter((each) => each !== one)
        reject(new SqlRefused('others run statements', { hint: SOON }))
      }, limits.waitMs)
      const go = (): void => {
        clearTimeout(late)
        resolve()
      }
      const one: Waiting = { orgId, go }
      waiting = [...waiting, one]
    })
  }
  /** How to end it. No node is preferred: whoever looks first is next. */
  const slot = async (untilMs: number): Promise<() => Promise<void>> => {
    if (!limits.takeConsoleSlot) return () => Promise.resolve()
    for (;;) {
      const release = await limits.takeConsoleSlot()
      if (release) return release
      if (performance.now() >= untilMs) throw new SqlRefused('others run statements', { hint: SOON })
      await sleep(LOOK_AGAIN_MS * (0.5 + Math.random()))
    }
  }
  return {
    async run({ orgId, actor }, job) {
      if (actors.has(actor))
        throw new SqlRefused('your statement before still runs', { hint: 'Each person runs one at a time.' })
      if ((counts.get(orgId) ?? 0) >= limits.perOrg)
        throw new SqlRefused('others of your organization run statements', { hint: SOON })
      if (actors.size >= limits.inAll) throw new SqlRefused('others run statements', { hint: SOON })
      const untilMs = performance.now() + limits.waitMs
      actors.add(actor)
      count(orgId, 1)
      try {
        await turn(orgId)
        try {
          const release = await slot(untilMs)
          try {
            return await job()
          } finally {
            await release()
          }
        } finally {
          next()
        }
      } finally {
        actors.delete(actor)
        count(orgId, -1)
      }
    },
  }
}
