/** What one frame gives to the hash: its function, its place in the code, the line of source. Never line numbers. */
import type { Frame } from '@sonde/protocol/event'
import { type Family, familyOf, stableFunction } from './function-name.ts'
import { fileOf, isMapped, minifiedFiles, survivesMinifier } from './minified.ts'
import { stableModule } from './module-name.ts'
import { isRuntimeFrame } from './runtime-frame.ts'
import { remembered } from './remember.ts'
import { isScript, stableFile, stablePath } from './stable-path.ts'

/** Longer lines are data or generated code. */
const MAX_CONTEXT_CHARACTERS = 120
/** Platforms whose SDK reads the source itself, so that every event of the platform has the line. */
const CONTEXT_PLATFORMS = new Set(['javascript', 'node', 'python', 'php', 'ruby', 'go', 'elixir', 'perl'])

export type FrameValue = {
  /** Empty: the frame contributes nothing. */
  readonly text: string
  readonly minified: boolean
  readonly note?: string
}

export function frameValues(frames: readonly Frame[], eventPlatform: string): FrameValue[] {
  const minified = minifiedFiles(
    frames.filter((frame) => familyOf(frame.platform ?? eventPlatform) === 'javascript'),
  )
  const values: FrameValue[] = []
  for (const frame of frames) {
    const platform = frame.platform ?? eventPlatform
    const family = familyOf(platform)
    if (family !== 'javascript') values.push(plainFrame(frame, family, platform))
    else if (!isRuntimeFrame(frame)) {
      values.push(minified.has(fileOf(frame)) ? minifiedFrame(frame) : plainFrame(frame, family, platform))
    }
  }
  return values
}

function plainFrame(frame: Frame, family: Family, platform: string): FrameValue {
  const line = CONTEXT_PLATFORMS.has(platform) ? contextLine(frame.context_line ?? '') : ''
  // A source map gives the right line but often the caller's name.
  const name = line !== '' && isMapped(frame) ? '' : stableFunction(frame.function ?? '', family)
  const place = placeOf(frame, family, name)
  return {
    text: [name, place, line].some((part) => part !== '') ? `${name} | ${place} | ${line}` : '',
    minified: false,
  }
}

function minifiedFrame(frame: Frame): FrameValue {
  const name = stableFunction(frame.function ?? '', 'javascript')
  const text = survivesMinifier(name) ? name : ''
  return {
    text,
    minified: true,
    note: 'minified, no source map: only a name that survives the minifier counts',
  }
}

function placeOf(frame: Frame, family: Family, name: string): string {
  if (family === 'native') return name === '' ? stableFile(frame.package ?? frame.filename ?? '') : ''
  const module = frame.module ?? ''
  const path = frame.filename ?? frame.abs_path ?? ''
  if (family === 'javascript') {
    if (path === '') return stableModule(module)
    const hasUrl = /^(?:https?|blob|applewebdata):/.test(frame.abs_path ?? path)
    return hasUrl && !isScript(path) ? '' : stablePath(path)
  }
  return module !== '' && module !== '__main__' ? stableModule(module) : stablePath(path)
}

const contextLine = remembered((line) => {
  const collapsed = line.replace(/\s+/g, ' ').trim()
  return collapsed.length > MAX_CONTEXT_CHARACTERS ? '' : collapsed
})
