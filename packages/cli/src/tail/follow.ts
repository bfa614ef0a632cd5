/**
 * Asks again and again for what arrived behind a cursor. The cursor moves only with an answer that was handed on, and says where the
 * server's log was read to: whatever fails in between, and whichever process answers then, nothing is lost or told twice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { SondeError } from '@sonde/base/errors'

export type TailAnswer<Row> = {
  readonly data: readonly Row[]
  readonly cursor: string
  /** More is there already. */
  readonly hasMore: boolean
}

export type FollowOptions<Row> = {
  /** Undefined: the first question. */
  readonly ask: (cursor: string | undefined) => Promise<TailAnswer<Row>>
  readonly tell: (rows: readonly Row[]) => void
  /** That it does not answer, and that it does again. */
  readonly onTrouble: (error: SondeError | undefined) => void
  readonly everyMs: number
  /** Ends it: the promise is resolved. */
  readonly signal: AbortSignal
}

const MAX_WAIT_MS = 30_000

/** Resolves when `signal` says so. @throws SondeError for what does not pass: a login that is over, a search that is wrong. */
export async function follow<Row>(options: FollowOptions<Row>): Promise<void> {
  const { ask, tell, onTrouble, everyMs, signal } = options
  let cursor: string | undefined
  let failures = 0
  while (!signal.aborted) {
    let waitMs = everyMs
    try {
      const answer = await ask(cursor)
      if (failures > 0) onTrouble(undefined)
      failures = 0
      tell(answer.data)
      cursor = answer.cursor
      if (answer.hasMore) waitMs = 0
    } catch (error) {
      if (signal.aborted) return
      // The first question says whether it can be asked at all.
      const passes = error instanceof SondeError && error.kind === 'unavailable' && cursor !== undefined
      if (!passes) throw error
      if (failures === 0) onTrouble(error)
      waitMs = Math.min(MAX_WAIT_MS, everyMs * 2 ** failures++)
    }
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
  }
}
