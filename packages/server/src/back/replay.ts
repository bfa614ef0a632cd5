/** `sonde dead replay`: which ones, and what became of each. */
import type { LogWriter } from '@sonde/log'
import type { DeadLetters } from '@sonde/pipeline'

export type ReplayReport = {
  readonly replayed: readonly number[]
  readonly failed: readonly { readonly id: number; readonly message: string }[]
}

// As many as one call takes; whoever has more calls again.
const MAX_AT_ONCE = 10_000

/** `body`: JSON of `{ids: number[]}`; an empty list means all that wait. */
export async function replayDeadLetters(
  dead: DeadLetters,
  append: LogWriter['append'],
  body: string,
): Promise<ReplayReport> {
  const { ids: asked } = JSON.parse(body) as { ids: number[] }
  const waiting =
    asked.length > 0
      ? asked
      : (await dead.list({ limit: MAX_AT_ONCE, waitingOnly: true })).map(({ id }) => id)
  const replayed: number[] = []
  const failed: { id: number; message: string }[] = []
  for (const id of waiting) {
    try {
      await dead.replay(id, append)
      replayed.push(id)
    } catch (error) {
      failed.push({ id, message: error instanceof Error ? error.message : String(error) })
    }
  }
  return { replayed, failed }
}
