/** Files that ended the thread that read them: they are not given to another, the events that need them are stored as they came. */
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import type { FoundFile } from '@sonde/stores'
import type { FileSource } from './file-asks.ts'

type Failure = { readonly reason: 'digest_timeout' | 'digest_crash'; readonly error: Error }
export type BlamedFiles = {
  readonly source: FileSource | undefined
  blame(file: FoundFile, failure: Failure): void
}

/** Once may have been the memory that other maps used up: a new thread has none of them. */
const TRIES = 2

export function blamedFiles(source: FileSource | undefined): BlamedFiles {
  const blamed = new Map<string, Failure & { times: number }>()
  return {
    source: source && {
      answer: (asks) => source.answer(asks),
      async read(file) {
        const failure = blamed.get(file.blob)
        if (!failure || failure.times < TRIES) return await source.read(file)
        const isMemory = failure.reason === 'digest_crash'
        const problem: FrameProblem = isMemory ? 'too_large' : 'broken_map'
        return { ok: false, problem, detail: `${file.url}: reading it failed (${failure.error.message})` }
      },
    },
    blame(file, { reason, error }) {
      blamed.set(file.blob, { reason, error, times: (blamed.get(file.blob)?.times ?? 0) + 1 })
    },
  }
}
