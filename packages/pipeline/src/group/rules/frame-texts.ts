/** What rules of grouping see of a frame. */
import type { Frame } from '@sonde/protocol/event'

export type FrameTexts = {
  /** `abs_path` and `filename`: SDKs differ in which of them says where. */
  readonly paths: readonly string[]
  readonly module: readonly string[]
  readonly function: readonly string[]
  readonly package: readonly string[]
  readonly isInApp: boolean
}

export function frameTexts(frame: Frame): FrameTexts {
  const { abs_path: absPath, filename } = frame
  return {
    paths: absPath === filename ? listOf(filename) : [...listOf(absPath), ...listOf(filename)],
    module: listOf(frame.module),
    function: listOf(frame.function),
    package: listOf(frame.package),
    isInApp: frame.in_app,
  }
}

const listOf = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text])

const NATIVE = new Set(['native', 'c', 'cocoa', 'objc', 'swift', 'rust'])

/** `families`: one or several with commas between them. */
export function isFamily(platform: string, families: string): boolean {
  const own =
    platform === 'javascript' || platform === 'node'
      ? 'javascript'
      : NATIVE.has(platform)
        ? 'native'
        : 'other'
  return families.split(',').some((family) => family === own || family === 'all')
}

export const saysYes = (pattern: string): boolean =>
  pattern === 'yes' || pattern === 'true' || pattern === '1'
