/** Frames of bundled scripts become functions of their sources, as those of errors do. */
import type { MissingFiles } from '../maps/file-requests.ts'
import type { ItemFiles } from '../stages/event-input.ts'
import { debugIdsOf } from '../symbolicate/find-files.ts'
import { symbolicateStack } from '../symbolicate/symbolicate-stack.ts'
import type { ProfileFrame } from './profile.ts'

type Of = {
  readonly projectId: number
  readonly platform: string
  readonly release: string
  readonly dist: string | undefined
  /** Of the profile, as the SDK sent it. */
  readonly debugMeta: Parameters<typeof debugIdsOf>[0]['debug_meta']
}

/** Each place is looked up once; more than these stay as they came. */
const MAX_LOOKED_UP = 2_000

export function symbolicateFrames(
  frames: readonly ProfileFrame[],
  { debugMeta, ...of }: Of,
  files: ItemFiles,
): readonly ProfileFrame[] | MissingFiles {
  if (of.platform !== 'javascript' && of.platform !== 'node') return frames
  const around = {
    ...of,
    debugIds: debugIdsOf(debugMeta === undefined ? {} : { debug_meta: debugMeta }),
    found: new Map(),
    pageUrl: undefined,
  }
  const done = frames.map((frame, at): ProfileFrame => {
    if (at >= MAX_LOOKED_UP || frame.file === '' || frame.line === 0) return frame
    const raw = {
      function: frame.name,
      abs_path: frame.file,
      lineno: frame.line,
      colno: frame.column,
      in_app: frame.inApp,
    }
    const read = symbolicateStack({ frames: [raw] }, around, files.known)?.stacktrace.frames[0]
    if (read === undefined) return frame
    if (read.data?.['symbolicated'] !== true) return { ...frame, problem: read.problem?.reason ?? '' }
    return {
      ...frame,
      name: read.function ?? frame.name,
      file: read.filename ?? frame.file,
      line: read.lineno ?? frame.line,
      column: read.colno ?? frame.column,
      inApp: read.in_app,
    }
  })
  const missing = files.takeLacks()
  return missing.length > 0 ? { missing } : done
}
