/**
 * What a thread knows of uploaded files at this moment. Whoever asks gets an answer at once or `undefined`; then what is
 * lacking is noted, and the work is done again once it was brought. So the work itself stays pure and without waiting.
 */
import type { FoundFile, FoundFiles } from '@sonde/stores'
import type { Answers, FileAsk } from './file-asks.ts'
import type { LoadedMap, LoadedScript, LoadedText } from './load-file.ts'

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
