/** Remembers which blobs could not be read, in this process, so that the doctor can name them. Of any engine. */
import { type Clock, errorKind } from '@sonde/base'
import type { BlobProblem, Blobs, UnreadableBlob } from './blobs.ts'

/** A disk that dies has as many as it likes. */
const MAX_KEPT = 1_000
const KEPT_MS = 86_400_000

/**
 * What an engine calls damaged is noted by itself; what is missing only its readers know, by `note`. Forgotten when it can be
 * read again, is written or deleted, or was not met for a day.
 */
export function noteUnreadable(blobs: Blobs, clock: Clock): Blobs {
  const found = new Map<string, UnreadableBlob>()
  // Whoever read its row just before a deletion finds it missing just after.
  const deleted = new Set<string>()

  const note = (name: string, problem: BlobProblem): void => {
    if (deleted.has(name)) return
    found.delete(name)
    found.set(name, { name, problem, foundMs: clock.nowMs() })
    trim(found)
  }
  const noting = async <Result>(name: string, job: Promise<Result>): Promise<Result> => {
    try {
      const result = await job
      if (result !== undefined && found.get(name)?.problem === 'missing') found.delete(name)
      return result
    } catch (error) {
      if (errorKind(error) === 'internal') note(name, 'damaged')
      throw error
    }
  }
  return {
    ...blobs,
    note,
    unreadable: () =>
      [...found.values()].filter(({ foundMs }) => clock.nowMs() - foundMs < KEPT_MS).toReversed(),
    get: (name) => noting(name, blobs.get(name)),
    open: (name) => noting(name, blobs.open(name)),
    async put(name, bytes) {
      await blobs.put(name, bytes)
      found.delete(name)
      deleted.delete(name)
    },
    async delete(name) {
      deleted.add(name)
      trim(deleted)
      found.delete(name)
      await blobs.delete(name)
    },
  }
}

function trim(kept: Map<string, unknown> | Set<string>): void {
  const [oldest] = kept.keys()
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
}
