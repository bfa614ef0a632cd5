/** What the operator decides about dead letters. Each decision is written down with who took it. */
import type { Grant } from '@sonde/access'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'

/** The pipeline's side of it, which the composition root hands in. */
export type DeadLetterActions = {
  /** Ids of those that wait, newest first. */
  readonly waiting: (limit: number) => Promise<readonly number[]>
  /** Gives one back to the log. Throws when its bytes are gone. */
  readonly replay: (id: number) => Promise<void>
  /** Deletes its bytes. Throws when there is none. */
  readonly discard: (id: number) => Promise<void>
}

export type DeadLetterChange = 'replay' | 'discard'
export type DeadLetterReport = {
  readonly done: readonly number[]
  readonly failed: readonly { readonly id: number; readonly message: string }[]
}

// As many as one call takes; whoever has more calls again.
const MAX_AT_ONCE = 10_000
/** Named in the audit; the rest is counted. */
const MAX_NAMED = 100

/** `ids`: `all` means those that wait. */
export async function changeDeadLetters(
  deps: Pick<CommandDeps, 'records' | 'clock'>,
  dead: DeadLetterActions,
  grant: Grant<'operate', 'operator'>,
  change: DeadLetterChange,
  ids: readonly number[] | 'all',
): Promise<DeadLetterReport> {
  const done: number[] = []
  const failed: { id: number; message: string }[] = []
  for (const id of ids === 'all' ? await dead.waiting(MAX_AT_ONCE) : ids.slice(0, MAX_AT_ONCE)) {
    try {
      await dead[change](id)
      done.push(id)
    } catch (error) {
      failed.push({ id, message: error instanceof Error ? error.message : String(error) })
    }
  }
  await writeAudit(deps.records, {
    orgId: null,
    viewer: grant.viewer,
    action: `dead_letter.${change}`,
    subject: ids === 'all' ? 'all' : ids.slice(0, MAX_NAMED).join(' '),
    detail: { done: done.length, failed: failed.length },
    atMs: deps.clock.nowMs(),
  })
  return { done, failed }
}
