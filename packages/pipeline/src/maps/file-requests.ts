/** What a worker thread requests about uploaded files, and the answers. Plain data: it goes between threads. */
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import type { FoundDebugFile, FoundFile, FoundFiles, FoundRelease } from '@sonde/stores'
import type { LoadedDebugFile } from './load-debug-file.ts'
import type { LoadedMap, LoadedScript, LoadedText } from './load-file.ts'

/**
 * What a thread knows of uploaded files at this moment. Whoever requests gets an answer at once or `undefined`; then what is
 * missing is noted, and the work is done again once it was brought. So the work itself stays pure and without waiting.
 */
export type KnownFiles = {
  ask<Request extends FileRequest>(ask: Request): Answers[Request['kind']] | undefined
  map(found: Extract<FoundFiles, { readonly ok: true }>): LoadedMap | undefined
  /** `none`: it is there and cannot be read (too large, deleted). */
  script(file: FoundFile): LoadedScript | 'none' | undefined
  text(file: FoundFile): LoadedText | 'none' | undefined
  debugFile(file: FoundDebugFile): LoadedDebugFile | undefined
}

export type FileUse = 'map' | 'inline_map' | 'script' | 'text' | 'debug_file'
export type MissingFile =
  | { readonly kind: 'answer'; readonly key: string; readonly ask: FileRequest }
  | { readonly kind: 'file'; readonly key: string; readonly file: FoundFile; readonly use: FileUse }

/** An item cannot be finished before these are there. */
export type MissingFiles = { readonly missing: readonly MissingFile[] }
export function isMissingFiles(value: object): value is MissingFiles {
  return 'missing' in value
}

export type FileRequest =
  | { readonly kind: 'debug_id'; readonly projectId: number; readonly debugId: string }
  | { readonly kind: 'debug_file'; readonly projectId: number; readonly debugId: string }
  | { readonly kind: 'release'; readonly projectId: number; readonly release: string; readonly dist: string }
  | {
      readonly kind: 'url'
      readonly projectId: number
      readonly release: string
      readonly dist: string
      readonly url: string
    }
  | {
      readonly kind: 'source'
      readonly bundleId: number
      readonly mapUrl: string
      readonly path: string
    }

/** `none`: it was looked for, and there is none. */
export type Answers = {
  readonly debug_id: FoundFiles | 'none'
  readonly debug_file: FoundDebugFile | 'none'
  readonly release: FoundRelease
  readonly url: FoundFiles
  readonly source: FoundFile | 'none'
}
export type FileAnswer = Answers[FileRequest['kind']]

/** The bytes of a file, or why a thread is not given them: the problem as that of a map, the detail without the file's name. */
export type FileBytes =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: FrameProblem; readonly detail: string }

/** Throws where the stores do not answer: then it is asked again, because "not there" would be a lie that is kept. */
export type FileSource = {
  answer(requests: readonly FileRequest[]): Promise<readonly FileAnswer[]>
  read(file: FoundFile): Promise<FileBytes>
}

export function requestKey(ask: FileRequest): string {
  if (ask.kind === 'debug_id') return `d ${ask.projectId} ${ask.debugId}`
  if (ask.kind === 'debug_file') return `f ${ask.projectId} ${ask.debugId}`
  if (ask.kind === 'source') return `s ${ask.bundleId} ${ask.mapUrl} ${ask.path}`
  const release = `${ask.projectId} ${JSON.stringify([ask.release, ask.dist])}`
  return ask.kind === 'release' ? `r ${release}` : `u ${release} ${ask.url}`
}
