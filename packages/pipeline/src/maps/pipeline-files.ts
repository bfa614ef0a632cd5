/** What digest threads may know of uploaded files, made from the stores. */
import type { Clock, Logger } from '@sonde/base'
import { type Blobs, markBundlesUsed, type Records } from '@sonde/stores'
import type { PoolFiles } from '../digest/digest-pool.ts'
import { createFileSource } from './file-source.ts'

type Needs = {
  readonly records: Records
  readonly blobs: Pick<Blobs, 'get'>
  readonly clock: Clock
  readonly logger: Logger
}

const DAY_MS = 86_400_000

export function pipelineFiles({ records, blobs, clock, logger }: Needs): PoolFiles {
  const dayOf = (ms: number): number => Math.floor(ms / DAY_MS)
  let day = Number.NaN
  let marked = new Set<number>()

  const mark = async (bundleIds: readonly number[]): Promise<void> => {
    const nowMs = clock.nowMs()
    if (dayOf(nowMs) !== day) marked = new Set()
    day = dayOf(nowMs)
    const unmarked = bundleIds.filter((id) => !marked.has(id))
    for (const id of unmarked) marked.add(id)
    try {
      await markBundlesUsed(records, unmarked, nowMs)
    } catch (error) {
      for (const id of unmarked) marked.delete(id)
      logger.warn({ err: error }, 'which uploads are in use was not noted; the next event tries again')
    }
  }

  return {
    source: createFileSource({ records, blobs, onUsed: (bundleIds) => void mark(bundleIds) }),
    // The day is part of it, so that what is used day after day is asked for once a day, and is noted as used.
    async epoch() {
      const { value } = await records.selectFrom('artifact_epoch').select('value').executeTakeFirstOrThrow()
      return `${value} ${dayOf(clock.nowMs())}`
    },
  }
}
