/** What a worker thread can be given to do. Each item of a job is processed alone, and again once the files it misses are there. */
import type { LogRecord } from '@sonde/log'
import type { CodePosition, ComponentName, SourcePosition, StyleText } from '@sonde/protocol/code-position'
import { findDeclaration, findText, type Source, sourceName } from '@sonde/sourcemaps'
import type { FoundFiles } from '@sonde/stores'
import { isMissingFiles, type KnownFiles, type MissingFiles } from '../maps/file-requests.ts'
import type { LoadedMap } from '../maps/load-file.ts'
import type { ThreadFiles } from '../maps/thread-files.ts'
import type { StageTimes } from '../stage-runner.ts'
import type { ItemFiles } from '../stages/event-input.ts'
import { findFiles } from '../symbolicate/find-files.ts'
import { isSourceInApp, readPosition } from '../symbolicate/read-position.ts'
import { type Reprocessed, reprocessEvent, type StoredEvent } from '../symbolicate/reprocess-event.ts'
import { tryProcess } from './process-record.ts'
import type { ProcessedRecord } from './processed.ts'
import type { ProcessingSettings } from './settings-history.ts'

/** A place in a script, as browsers name it in performance entries, led back to its source. */
const MAX_TEXT = 512

export function resolvePosition(position: CodePosition, files: ItemFiles): SourcePosition | MissingFiles {
  const answer = resolve(position, files.known)
  const missing = files.takeLacks()
  return missing.length > 0 || answer === undefined ? { missing } : answer
}

/** Undefined: files are missing. */
function resolve(position: CodePosition, files: KnownFiles): SourcePosition | undefined {
  const { projectId, url, debugId, release, dist } = position
  const found = findFiles(files, { projectId, url, debugId, release, dist })
  if (found === undefined || !found.ok) return found
  const { at } = position
  if ('component' in at) {
    const loaded = files.map(found)
    return loaded?.ok ? placeOfComponent(loaded.map, at) : loaded
  }
  if ('styleText' in at) {
    const loaded = files.map(found)
    return loaded?.ok ? placeOfStyle(loaded.map, at) : loaded
  }
  const place = placeIn(at, found, files)
  if (place === undefined || 'ok' in place) return place
  const read = readPosition(files, found, place.line, place.column)
  if (read === undefined || !read.ok) return read
  const { line, column } = read.position
  return {
    ok: true,
    source: (read.filename ?? read.mapUrl).slice(0, MAX_TEXT),
    line: line + 1,
    column: column + 1,
    ...(typeof read.functionName === 'string' && { functionName: read.functionName.slice(0, MAX_TEXT) }),
    ...(read.context && { contextLine: read.context.line }),
    isInApp: read.isInApp ?? true,
  }
}

function placeOfComponent(
  { sources }: Extract<LoadedMap, { readonly ok: true }>['map'],
  { component, file }: ComponentName,
): SourcePosition {
  const own = sources.filter((source) => isSourceInApp(source, sourceName(source.path)) !== false)
  const found = findDeclaration(own, { name: component, file })
  if (!found)
    return { ok: false, problem: 'no_position', detail: `no source, or several, may declare ${component}` }
  const source = (sourceName(found.source.path) ?? '').slice(0, MAX_TEXT)
  return { ok: true, source, line: (found.line ?? 0) + 1, column: 1, isInApp: true }
}

/** Several sources become one style sheet, and browsers do not say where in it a rule stands. */
function placeOfStyle(
  { sources }: Extract<LoadedMap, { readonly ok: true }>['map'],
  { styleText }: StyleText,
): SourcePosition {
  const own = sources.filter((source) => isSourceInApp(source, sourceName(source.path)) !== false)
  const found = findText(own, styleText)
  const source = sourceName(found?.source.path ?? null)?.slice(0, MAX_TEXT)
  if (!found || source === undefined)
    return { ok: false, problem: 'no_position', detail: `made of ${own.length} sources: ${namesOf(own)}` }
  return { ok: true, source, line: found.line + 1, column: 1, isInApp: true }
}

const MAX_NAMES = 3
const namesOf = (sources: readonly Source[]): string => {
  const names = sources.slice(0, MAX_NAMES).map(({ path }) => sourceName(path)?.slice(0, 100) ?? '?')
  return [...names, ...(sources.length > MAX_NAMES ? ['…'] : [])].join(', ')
}

type Place = { readonly line: number; readonly column: number }

/** From 0, as source maps count. */
function placeIn(
  at: Exclude<CodePosition['at'], ComponentName | StyleText>,
  { script, map }: Extract<FoundFiles, { readonly ok: true }>,
  files: KnownFiles,
): Place | Extract<SourcePosition, { readonly ok: false }> | undefined {
  if ('line' in at) return { line: at.line - 1, column: at.column - 1 }
  const code = script === undefined ? 'none' : files.script(script)
  if (code === undefined) return undefined
  if (code === 'none') {
    const detail = `only ${map.url} was uploaded; without the script character ${at.character} has no line`
    return { ok: false, problem: 'no_such_file', detail }
  }
  const place = code.lines.at(at.character)
  if (place) return place
  const detail = `the uploaded ${script?.url ?? 'script'} has no character ${at.character}`
  return { ok: false, problem: 'other_file', detail }
}

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
