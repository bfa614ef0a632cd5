/**
 * Remembers for a day what was answered to a request with an `Idempotency-Key`. One row for each key; whoever inserts it runs the
 * request, everybody else reads. Right for any number of processes, because the row decides.
 */
import type { Clock } from '@sonde/base'
import type { Records } from '@sonde/stores'

const DAY_MS = 86_400_000
// No request takes nearly as long. After the crash of a process its keys are taken over that late.
const RUNS_AT_MOST_MS = 120_000
// Seven a minute for a day. A row takes a few hundred bytes and the answer.
const MAX_KEYS = 10_000

type OnceDeps = { readonly records: Records; readonly clock: Clock }

export type OnceRequest = {
  readonly id: string
  readonly caller: string
  readonly fingerprint: string
}

export type Once =
  /** Nobody did before: `endOnce` or `forgetOnce` must follow. */
  | { readonly state: 'run' }
  | { readonly state: 'running' | 'other-request' | 'too-many' }
  /** `answer`: as it was given to `endOnce`. */
  | { readonly state: 'done'; readonly status: number; readonly answer: string | undefined }

export async function beginOnce({ records, clock }: OnceDeps, request: OnceRequest): Promise<Once> {
  const nowMs = clock.nowMs()
  const { id, caller, fingerprint } = request
  const fresh = { fingerprint, running_until_ms: nowMs + RUNS_AT_MOST_MS, ends_ms: nowMs + DAY_MS }
  const known = await records
    .selectFrom('idempotent_request')
    .select(['fingerprint', 'status', 'answer', 'running_until_ms', 'ends_ms'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!known) {
    if (await hasTooMany(records, caller)) return { state: 'too-many' }
    const inserted = await records
      .insertInto('idempotent_request')
      .values({ id, caller, ...fresh, status: null, answer: null })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    // Somebody else was a moment earlier.
    return { state: Number(inserted.numInsertedOrUpdatedRows ?? 0) > 0 ? 'run' : 'running' }
  }
  const isOver = known.ends_ms <= nowMs
  if (!isOver && known.fingerprint !== fingerprint) return { state: 'other-request' }
  if (!isOver && known.status !== null)
    return { state: 'done', status: known.status, answer: known.answer ?? undefined }
  if (!isOver && known.running_until_ms > nowMs) return { state: 'running' }
  // Of those who come at once, one finds what it read.
  const taken = await records
    .updateTable('idempotent_request')
    .set({ ...fresh, status: null, answer: null })
    .where('id', '=', id)
    .where('running_until_ms', '=', known.running_until_ms)
    .executeTakeFirst()
  return { state: Number(taken.numUpdatedRows) > 0 ? 'run' : 'running' }
}

async function hasTooMany(records: Records, caller: string): Promise<boolean> {
  const { rows } = await records
    .selectFrom((eb) =>
      eb
        .selectFrom('idempotent_request')
        .select('id')
        .where('caller', '=', caller)
        .limit(MAX_KEYS)
        .as('some'),
    )
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return rows >= MAX_KEYS
}

/** `answer` undefined: it is not kept, and whoever repeats the request learns the status alone. */
export async function endOnce(
  { records }: OnceDeps,
  id: string,
  { status, answer }: { readonly status: number; readonly answer: string | undefined },
): Promise<void> {
  const done = { status, answer: answer ?? null }
  await records.updateTable('idempotent_request').set(done).where('id', '=', id).execute()
}

/** It made nothing: the key is free again. */
export async function forgetOnce({ records }: OnceDeps, id: string): Promise<void> {
  await records.deleteFrom('idempotent_request').where('id', '=', id).where('status', 'is', null).execute()
}
