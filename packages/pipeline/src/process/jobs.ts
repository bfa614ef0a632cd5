/** What a worker thread can be given to do. Each item of a job is processed alone, and again once the files it misses are there. */
import type { CodePosition, SourcePosition } from '@sonde/protocol/code-position'
import type { LogRecord } from '@sonde/log'
import { isMissingFiles, type MissingFiles } from '../maps/file-requests.ts'
import type { ThreadFiles } from '../maps/thread-files.ts'
import type { StageTimes } from '../stage-runner.ts'
import { type Reprocessed, reprocessEvent, type StoredEvent } from '../symbolicate/reprocess-event.ts'
import { resolvePosition } from '../symbolicate/resolve-position.ts'
import type { ProcessingSettings } from './settings-history.ts'
import type { ProcessedRecord } from './processed.ts'
import { tryProcess } from './process-record.ts'

export type Work =
  | {
      readonly kind: 'records'
      readonly items: readonly LogRecord[]
      readonly settings: ProcessingSettings
    }
  | { readonly kind: 'stored'; readonly items: readonly StoredEvent[] }
  | { readonly kind: 'positions'; readonly items: readonly CodePosition[] }

export type WorkDone = {
  readonly records: readonly ProcessedRecord[]
  readonly stored: readonly Reprocessed[]
  readonly positions: readonly SourcePosition[]
}

/** Answers, the map, its script, a source of its own; each may be missing only once the one before is there. */
const MAX_ROUNDS = 20

/**
 * Throws what the source of files throws: then nothing of the job counts. `onBegin` hears of each item before it is begun
 * (from 1).
 */
export async function runWork(
  work: Work,
  files: ThreadFiles | undefined,
  times: StageTimes,
  onBegin: (item: number) => void | Promise<void>,
): Promise<WorkDone[Work['kind']]> {
  if (work.kind === 'records') {
    const { items, settings } = work
    return await each(items, (record) => tryProcess(record, settings, times, files), files, onBegin)
  }
  if (!files) throw new Error(`${work.kind} need uploaded files`)
  if (work.kind === 'stored')
    return await each(work.items, (stored) => reprocessEvent(stored, files), files, onBegin)
  return await each(work.items, (position) => resolvePosition(position, files), files, onBegin)
}

/** Without a turn of the event loop between items that lack nothing. */
async function each<Item, Done extends object>(
  items: readonly Item[],
  attempt: (item: Item) => Done | MissingFiles,
  files: ThreadFiles | undefined,
  onBegin: (item: number) => void | Promise<void>,
): Promise<Done[]> {
  const done: Done[] = []
  for (const [at, item] of items.entries()) {
    const pause = onBegin(at + 1)
    if (pause) await pause
    let result = attempt(item)
    for (let round = 1; isMissingFiles(result); round++) {
      if (!files || round > MAX_ROUNDS) throw new Error('files are still missing after they were supplied')
      await files.supply(result.missing)
      result = attempt(item)
    }
    files?.release()
    done.push(result)
  }
  return done
}
