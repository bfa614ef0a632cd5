/**
 * Counts tries in windows that lie in the records: a restart forgets nothing, and several processes count together.
 * better-auth's own `rateLimit` counts requests to its router by address and path, reads before it writes, and knows
 * nothing of accounts; so this is ours.
 *
 * No living window is ever evicted to make room: whoever could push others' out could also reset their own. What
 * bounds the rows instead is that one is only made for a try that costs a password hash (`hash-gate.ts` lets a few run
 * at once, tens a second) or that the right password was typed for; a window's end deletes its row.
 */
import { createHmac } from 'node:crypto'
import type { Clock } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'

export type Bound = {
  /** What is full, for the log. */
  readonly name: BoundName
  /** What is counted. Kept as a keyed hash only: people type passwords into the field for the address. */
  readonly key: string
  readonly maxTries: number
  readonly windowMs: number
  /** Beyond `maxTries` one more try each so often; without it none before the window ends. */
  readonly thenEveryMs?: number
  /** A success takes back its own try; with this it forgets the others too. */
  readonly endsWithSuccess?: boolean
}

export type BoundName =
  | 'account-and-network'
  | 'network'
  | 'account'
  | 'device'
  | 'second-factor'
  | 'second-factor-day'
  | 'own-secret'
  | 'audit'

export type Full = { readonly retryAfterSec: number; readonly by: BoundName }
/** `filled`: the windows that this try was the last of. */
export type Taken = { readonly filled: readonly BoundName[] }

export type TryLimit = {
  /** Whether a try may be made now, without counting it. */
  look(bounds: readonly Bound[]): Promise<Full | undefined>
  /** Counts a try in all of them, or in none when one is full. */
  take(bounds: readonly Bound[]): Promise<Full | Taken>
  succeeded(bounds: readonly Bound[]): Promise<void>
  forget(keys: readonly string[]): Promise<void>
}

const SWEEP_EVERY_MS = 60_000

type Window = { readonly tries: number; readonly endsMs: number; readonly nextTryMs: number }

export function createTryLimit(records: Records, clock: Clock, secret: string): TryLimit {
  const hashed = (key: string): string =>
    createHmac('sha256', secret).update(`try ${key}`).digest('base64url')
  let sweepAtMs = 0
  const read = async (from: Records, bounds: readonly Bound[]): Promise<ReadonlyMap<string, Window>> => {
    const rows = await from
      .selectFrom('try_window')
      .selectAll()
      .where(
        'key',
        'in',
        bounds.map(({ key }) => hashed(key)),
      )
      .where('ends_ms', '>', clock.nowMs())
      .execute()
    return new Map(
      rows.map((row) => [row.key, { tries: row.tries, endsMs: row.ends_ms, nextTryMs: row.next_try_ms }]),
    )
  }
  const fullest = (bounds: readonly Bound[], windows: ReadonlyMap<string, Window>): Full | undefined => {
    const nowMs = clock.nowMs()
    let full: Full | undefined
    for (const { name, key, maxTries, thenEveryMs } of bounds) {
      const window = windows.get(hashed(key))
      if (!window || window.tries < maxTries) continue
      const untilMs = thenEveryMs === undefined ? window.endsMs : window.nextTryMs
      const retryAfterSec = Math.ceil((untilMs - nowMs) / 1000)
      if (retryAfterSec > (full?.retryAfterSec ?? 0)) full = { retryAfterSec, by: name }
    }
    return full
  }
  return {
    look: async (bounds) => fullest(bounds, await read(records, bounds)),
    take: (bounds) => {
      const isSweepDue = sweepAtMs <= clock.nowMs()
      if (isSweepDue) sweepAtMs = clock.nowMs() + SWEEP_EVERY_MS
      return writeTransaction(records, async (tx) => {
        const nowMs = clock.nowMs()
        if (isSweepDue) await tx.deleteFrom('try_window').where('ends_ms', '<=', nowMs).execute()
        const windows = await read(tx, bounds)
        const full = fullest(bounds, windows)
        if (full) return full
        const filled: BoundName[] = []
        for (const { name, key, maxTries, windowMs, thenEveryMs } of bounds) {
          const window = windows.get(hashed(key))
          const tries = (window?.tries ?? 0) + 1
          if (tries === maxTries) filled.push(name)
          const row = {
            tries,
            next_try_ms: nowMs + (thenEveryMs ?? 0),
            ends_ms: window?.endsMs ?? nowMs + windowMs,
          }
          await tx
            .insertInto('try_window')
            .values({ key: hashed(key), ...row })
            .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
            .execute()
        }
        return { filled }
      })
    },
    async succeeded(bounds) {
      await writeTransaction(records, async (tx) => {
        for (const { key, endsWithSuccess } of bounds) {
          if (endsWithSuccess) await tx.deleteFrom('try_window').where('key', '=', hashed(key)).execute()
          else
            await tx
              .updateTable('try_window')
              .set((row) => ({ tries: row('tries', '-', 1) }))
              .where('key', '=', hashed(key))
              .where('tries', '>', 0)
              .execute()
        }
      })
    },
    async forget(keys) {
      await records.deleteFrom('try_window').where('key', 'in', keys.map(hashed)).execute()
    },
  }
}
