/** What a digesting thread asks about uploaded files, and what it is answered. Plain data: it goes between threads. */
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import type { FoundFile, FoundFiles, FoundRelease } from '@sonde/stores'
import type { LoadedMap, LoadedScript, LoadedText } from './load-file.ts'

/**
 * What a thread knows of uploaded files at this moment. Whoever asks gets an answer at once or `undefined`; then what is
 * lacking is noted, and the work is done again once it was brought. So the work itself stays pure and without waiting.
 */
export type KnownFiles = {
  ask<Ask extends FileAsk>(ask: Ask): Answers[Ask['kind']] | undefined
  map(found: Extract<FoundFiles, { readonly ok: true }>): LoadedMap | undefined
  /** `none`: it is there and cannot be read (too large, deleted). */
  script(file: FoundFile): LoadedScript | 'none' | undefined
  text(file: FoundFile): LoadedText | 'none' | undefined
}

export type FileUse = 'map' | 'inline_map' | 'script' | 'text'
export type Lack =
  | { readonly kind: 'answer'; readonly key: string; readonly ask: FileAsk }
  | { readonly kind: 'file'; readonly key: string; readonly file: FoundFile; readonly use: FileUse }

/** An item cannot be finished before these are there. */
export type Lacking = { readonly lacking: readonly Lack[] }
export function isLacking(value: object): value is Lacking {
  return 'lacking' in value
}

export type FileAsk =
  | { readonly kind: 'debug_id'; readonly projectId: number; readonly debugId: string }
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
  readonly release: FoundRelease
  readonly url: FoundFiles
  readonly source: FoundFile | 'none'
}
export type FileAnswer = Answers[FileAsk['kind']]

/** The bytes of a file, or why a thread is not given them. */
export type FileBytes =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: FrameProblem; readonly detail: string }

/** Throws where the stores do not answer: then it is asked again, because "not there" would be a lie that is kept. */
export type FileSource = {
  answer(asks: readonly FileAsk[]): Promise<readonly FileAnswer[]>
  read(file: FoundFile): Promise<FileBytes>
}

export function keyOfAsk(ask: FileAsk): string {
  if (ask.kind === 'debug_id') return `d ${ask.projectId} ${ask.debugId}`
  if (ask.kind === 'source') return `s ${ask.bundleId} ${ask.mapUrl} ${ask.path}`
  const release = `${ask.projectId} ${JSON.stringify([ask.release, ask.dist])}`
  return ask.kind === 'release' ? `r ${release}` : `u ${release} ${ask.url}`
}
