/** The files that one thread has at hand: answers and parsed maps, both bounded in bytes, and how more are brought. */
import type { FoundFile } from '@sonde/stores'
import {
  type Answers,
  type FileAnswer,
  type FileBytes,
  type FileRequest,
  type FileSource,
  type FileUse,
  requestKey,
  type KnownFiles,
  type MissingFile,
} from './file-requests.ts'
import { type LoadedDebugFile, loadDebugFile } from './load-debug-file.ts'
import {
  type LoadedMap,
  type LoadedScript,
  type LoadedText,
  loadInlineMap,
  loadMap,
  loadScript,
  loadText,
  type Sized,
} from './load-file.ts'

export type ThreadFiles = {
  readonly known: KnownFiles
  /** What was missing since the last call; empty: everything was there. */
  takeLacks(): readonly MissingFile[]
  /** Resolves when all of it is known, until `release`. Throws what the source throws. */
  supply(lacks: readonly MissingFile[]): Promise<void>
  /** The item that needed them is done: they stay only as long as there is room. */
  release(): void
  /** Answers of another version are forgotten; files never change. */
  setVersion(version: string): void
  bytes(): number
}

export type ThreadFilesOptions = {
  /** Of parsed maps and scripts. */
  readonly maxBytes: number
  /** Told before and after a file is read, which may take long or end the thread. */
  readonly onReading?: (isReading: boolean) => void
}

/** A map of 10 MB takes about 27 MB when it is parsed: room for the scripts of four large pages. */
export const MAP_CACHE_BYTES = 128 * 1024 * 1024
const ANSWERS_BYTES = 4 * 1024 * 1024

export function createThreadFiles(
  source: FileSource,
  { maxBytes, onReading }: ThreadFilesOptions,
): ThreadFiles {
  // Refusals among them: with the next version it is tried again.
  const answers = createByteCache<Held>(ANSWERS_BYTES)
  const files = createByteCache<Loaded>(maxBytes)
  // What the item in hand was brought: it must not be pushed out by the next thing that it lacks.
  const held = new Map<string, Held>()
  const lacks = new Map<string, MissingFile>()
  let version: string | undefined

  const file = (of: FoundFile, use: FileUse): Loaded | 'none' | undefined => {
    const key = `${use} ${of.blob}`
    const value = (held.get(key) ?? files.get(key) ?? answers.get(key)) as Loaded | 'none' | undefined
    if (value === undefined) lacks.set(key, { kind: 'file', key, file: of, use })
    return value
  }

  const read = async (lack: Extract<MissingFile, { readonly kind: 'file' }>): Promise<void> => {
    const bytes = await source.read(lack.file)
    onReading?.(true)
    if (bytes.ok) {
      const loaded: Sized<Loaded> = LOADERS[lack.use](bytes.bytes)
      held.set(lack.key, loaded.value)
      files.set(lack.key, loaded.value, loaded.bytes)
    } else {
      const refused = saysWhy(lack.use) ? ofUse(lack.use, bytes) : 'none'
      held.set(lack.key, refused)
      answers.set(lack.key, refused, 500)
    }
    onReading?.(false)
  }

  return {
    known: {
      ask<Request extends FileRequest>(request: Request) {
        const key = requestKey(request)
        const value = held.get(key) ?? answers.get(key)
        if (value === undefined) lacks.set(key, { kind: 'answer', key, ask: request })
        return value as Answers[Request['kind']] | undefined
      },
      map: ({ map, isInline }) => file(map, isInline ? 'inline_map' : 'map') as LoadedMap | undefined,
      script: (of) => file(of, 'script') as LoadedScript | 'none' | undefined,
      text: (of) => file(of, 'text') as LoadedText | 'none' | undefined,
      debugFile: (of) => file(of, 'debug_file') as LoadedDebugFile | undefined,
    },
    takeLacks() {
      const taken = [...lacks.values()]
      lacks.clear()
      return taken
    },
    async supply(wanted) {
      const requested = wanted.filter((lack) => lack.kind === 'answer')
      if (requested.length > 0) {
        const found = await source.answer(requested.map(({ ask }) => ask))
        requested.forEach(({ key }, at) => {
          const answer = found[at]
          if (answer === undefined) throw new Error(`no answer to ${key}`)
          held.set(key, answer)
          answers.set(key, answer, key.length * 2 + 500)
        })
      }
      // One by one: of several large ones only one is held unparsed.
      for (const lack of wanted) if (lack.kind === 'file') await read(lack)
    },
    release: () => held.clear(),
    setVersion(now) {
      if (now !== version) answers.clear()
      version = now
    },
    bytes: () => files.bytes() + answers.bytes(),
  }
}

type Loaded = LoadedDebugFile | LoadedMap | LoadedScript | LoadedText
type Held = Loaded | FileAnswer | 'none'
const LOADERS = {
  map: loadMap,
  inline_map: loadInlineMap,
  script: loadScript,
  text: loadText,
  debug_file: loadDebugFile,
} as const satisfies Record<
  FileUse,
  (bytes: Uint8Array) => { readonly value: Loaded; readonly bytes: number }
>

const saysWhy = (use: FileUse): boolean => use === 'map' || use === 'inline_map' || use === 'debug_file'

const ofUse = (use: FileUse, refused: Extract<FileBytes, { readonly ok: false }>): typeof refused =>
  use === 'debug_file' && refused.problem === 'broken_map'
    ? { ...refused, problem: 'broken_debug_file' }
    : refused

/** Keeps what was used last, up to a sum of bytes. */

type ByteCache<Value> = {
  get(key: string): Value | undefined
  /** What was used longest ago goes; the newest stays even where it is larger than all that may be kept. */
  set(key: string, value: Value, bytes: number): void
  clear(): void
  bytes(): number
}

function createByteCache<Value>(maxBytes: number): ByteCache<Value> {
  // A map lists its keys in the order in which they were put.
  const entries = new Map<string, { readonly value: Value; readonly bytes: number }>()
  let sum = 0
  const remove = (key: string): void => {
    sum -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, bytes) {
      remove(key)
      entries.set(key, { value, bytes })
      sum += bytes
      for (const oldest of entries.keys()) {
        if (sum <= maxBytes || oldest === key) break
        remove(oldest)
      }
    },
    clear() {
      entries.clear()
      sum = 0
    },
    bytes: () => sum,
  }
}
