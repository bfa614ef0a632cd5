/** Programs whose names were obfuscated: Java and Kotlin by a ProGuard mapping, Dart's exception types by its map. */
import type { Exception, Frame, Stacktrace } from '@sonde/protocol/event'
import type { Mapping } from '@sonde/symbols'
import type { KnownFiles } from '../maps/file-requests.ts'
import type { LoadedDebugFile } from '../maps/load-debug-file.ts'
import { isInApp } from '../normalize/in-app.ts'
import type { Images } from './images.ts'
import type { SymbolicatedStack } from './symbolicate-stack.ts'

const MAX_NAME = 256
const MAX_FRAMES = 500

export type NameFiles = {
  readonly mappings: readonly Mapping[]
  readonly dart: readonly ReadonlyMap<string, string>[]
  /** What is lacking, for the frames. Undefined: nothing is. */
  readonly problem: Frame['problem']
}

/** Undefined: files are not known yet, and noted as missing. */
export function nameFilesOf(
  { mappings: ids, dart: dartIds }: Images,
  projectId: number,
  files: KnownFiles,
): NameFiles | undefined {
  const mappings: Mapping[] = []
  const dart: ReadonlyMap<string, string>[] = []
  let problem: Frame['problem']
  let isLacking = false
  const load = (debugId: string): Extract<LoadedDebugFile, { readonly ok: true }> | undefined => {
    const found = files.ask({ kind: 'debug_file', projectId, debugId })
    if (found === 'none')
      problem ??= { reason: 'no_debug_file', detail: `upload the mapping with the id ${debugId}` }
    const loaded = found === undefined || found === 'none' ? found : files.debugFile(found)
    if (loaded === undefined) isLacking = true
    if (loaded === undefined || loaded === 'none') return undefined
    if (loaded.ok) return loaded
    if (found !== undefined && found !== 'none')
      problem ??= { reason: loaded.problem, detail: `${found.url}: ${loaded.detail}` }
    return undefined
  }
  for (const id of ids) {
    const loaded = load(id)
    if (loaded?.kind === 'mapping') mappings.push(loaded.mapping)
  }
  for (const id of dartIds) {
    const loaded = load(id)
    if (loaded?.kind === 'dart') dart.push(loaded.names)
  }
  return isLacking ? undefined : { mappings, dart, problem }
}

const isJava = (platform: string): boolean => platform === 'java' || platform === 'android'

/** Undefined when nothing changed. */
export function retraceStack(
  stacktrace: Stacktrace,
  platform: string,
  { mappings, problem }: NameFiles,
): SymbolicatedStack | undefined {
  let isMapped = false
  let isChanged = false
  const frames: Frame[] = []
  for (const raw of stacktrace.frames) {
    const { module, function: method } = raw
    if (!isJava(raw.platform ?? platform) || module === undefined || method === undefined) {
      frames.push(raw)
      continue
    }
    const found = retrace(mappings, module, method, raw.lineno)
    if (found.length === 0) {
      // Without its mapping nothing tells whether a name is obfuscated; what the SDK calls its own may be.
      if (problem && mappings.length === 0 && raw.in_app) {
        isChanged = true
        frames.push({ ...raw, problem })
      } else frames.push(raw)
      continue
    }
    isMapped = true
    isChanged = true
    for (const to of found.toReversed().slice(-Math.max(1, MAX_FRAMES - stacktrace.frames.length))) {
      const { problem: _problem, lineno: _line, abs_path: _path, ...kept } = raw
      const frame: Frame = {
        ...kept,
        module: to.module.slice(0, MAX_NAME),
        function: to.function.slice(0, MAX_NAME),
        ...(to.file !== undefined && { filename: to.file, abs_path: to.file }),
        ...(to.line !== undefined && { lineno: to.line }),
        data: { ...raw.data, symbolicated: true },
      }
      frames.push({ ...frame, in_app: isInApp(frame, raw.platform ?? platform) && raw.in_app })
    }
  }
  return isChanged ? { stacktrace: { ...stacktrace, frames }, isMapped } : undefined
}

function retrace(mappings: readonly Mapping[], module: string, method: string, line: number | undefined) {
  for (const mapping of mappings) {
    const found = mapping.retrace(module, method, line)
    if (found.length > 0) return found
  }
  return []
}

/** The same entry where no name of it is in a mapping. */
export function renameException(entry: Exception, { mappings, dart }: NameFiles): Exception {
  const { type, module } = entry
  if (type === undefined || entry.raw_type !== undefined) return entry
  const names = dart.find((each) => each.has(type))?.get(type)
  if (names !== undefined) return { ...entry, type: names.slice(0, MAX_NAME), raw_type: type }
  const whole = module === undefined ? type : `${module}.${type}`
  const original = mappings.map((mapping) => mapping.className(whole)).find((name) => name !== undefined)
  if (original === undefined || original === whole) return entry
  const dot = original.lastIndexOf('.')
  return {
    ...entry,
    type: original.slice(dot + 1).slice(0, MAX_NAME),
    ...(dot !== -1 && { module: original.slice(0, dot).slice(0, MAX_NAME) }),
    raw_type: type,
    ...(module !== undefined && { raw_module: module }),
  }
}
