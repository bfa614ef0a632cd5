/** Stack traces in Sentry's public shape: camelCase, source context as numbered lines. */
import type { Frame, Stacktrace } from '@sonde/protocol/event'

export const stacktraceJson = (stack: Stacktrace | undefined) =>
  stack === undefined
    ? null
    : {
        frames: stack.frames.map((frame) => frameJson(frame)),
        framesOmitted: stack.frames_omitted ?? null,
        registers: stack.registers ?? null,
        hasSystemFrames: hasSystemFrames(stack),
      }

/** Whether "in app only" would hide something and leave something. */
export const hasSystemFrames = (stack: Stacktrace | undefined): boolean =>
  stack !== undefined &&
  stack.frames.some((frame) => frame.in_app) &&
  stack.frames.some((frame) => !frame.in_app)

const frameJson = (frame: Frame) => ({
  filename: frame.filename ?? null,
  absPath: frame.abs_path ?? null,
  module: frame.module ?? null,
  package: frame.package ?? null,
  platform: frame.platform ?? null,
  instructionAddr: frame.instruction_addr ?? null,
  symbolAddr: frame.symbol_addr ?? null,
  function: frame.function ?? null,
  rawFunction: frame.raw_function ?? null,
  symbol: null,
  context: contextLines(frame),
  lineNo: frame.lineno ?? null,
  colNo: frame.colno ?? null,
  inApp: frame.in_app,
  trust: null,
  errors: null,
  lock: null,
  sourceLink: null,
  vars: frame.vars ?? null,
  data: frame.data ?? null,
})

/** `[[17, "def f():"], [18, "  raise"], …]`; without a line number the lines cannot be numbered, so there are none. */
function contextLines(frame: Frame): readonly (readonly [number, string])[] {
  if (frame.lineno === undefined || frame.context_line === undefined) return []
  const before = frame.pre_context ?? []
  const first = frame.lineno - before.length
  return [...before, frame.context_line, ...(frame.post_context ?? [])].map(
    (line, index) => [first + index, line] as const,
  )
}
