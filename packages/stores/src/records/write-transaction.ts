import { setTimeout as pause } from 'node:timers/promises'
import type { Records } from './schema.ts'

/**
 * The only way to write several rows as one. Everything `fn` does through `tx` happens, or nothing of it; what it reads
 * is not changed by anybody else before its end.
 *
 * `fn` may run more than once: an engine that lets transactions overlap runs it again when two of them would have seen
 * each other half done (PostgreSQL: `serializable`, SQLSTATE 40001 and 40P01). So it has no effect outside `tx`: it
 * changes no variable around it, calls nobody, and tells nobody; all of that follows with what it returned. SQLite takes
 * the write lock before the first statement and runs one transaction at a time, so there `fn` runs once.
 *
 * Inside, use `tx` alone, never `records`: with one connection that waits forever.
 */
export async function writeTransaction<Result>(
  records: Records,
  fn: (tx: Records) => Promise<Result>,
): Promise<Result> {
  // SQLite has this isolation always, and no other.
  const attempt = (): Promise<Result> => records.transaction().setIsolationLevel('serializable').execute(fn)
  try {
    return await attempt()
  } catch (error) {
    if (!hasLost(error)) throw error
  }
  return await oneByOne(() => again(attempt))
}

/** Whoever lost has company: others here that lost wait, so that they do not make each other lose again. */
let last: Promise<unknown> = Promise.resolve()

function oneByOne<Result>(run: () => Promise<Result>): Promise<Result> {
  const turn = last.then(run)
  last = turn.catch(() => undefined)
  return turn
}

/** Half a minute at most: by then somebody waits for a page. */
const MAX_ATTEMPTS = 30
const PAUSE_MS = 5
const MAX_PAUSE_MS = 1_000

async function again<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries >= MAX_ATTEMPTS || !hasLost(error)) throw error
      // By chance, or two machines would meet again each time.
      await pause(Math.random() * Math.min(PAUSE_MS * 2 ** tries, MAX_PAUSE_MS))
    }
  }
}

/** PostgreSQL's serialization failure and deadlock, also as the cause of an error of ours. */
const LOST = new Set<unknown>(['40001', '40P01'])

function hasLost(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  return LOST.has(code) || (cause !== undefined && hasLost(cause))
}
