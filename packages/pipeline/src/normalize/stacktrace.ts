/** https://develop.sentry.dev/sdk/data-model/event-payloads/stacktrace/ */
import type { Frame, Stacktrace } from '@sonde/protocol/event'
import { readFrame } from './frames.ts'
import { emptyRecord, isObject, lenientText, type Mutable } from './read.ts'
import { remark, within, type Scope } from './scope.ts'
import type { StackState } from './stack-state.ts'

const MAX_FRAMES = 250
const RICH_AT_EACH_END = 25
const MAX_REGISTERS = 100

/** Undefined without frames. Of a long stack the frames nearest to the crash are kept: a recursion ends there. */
export function readStacktrace(scope: Scope, raw: unknown, state: StackState): Stacktrace | undefined {
  const source: unknown = Array.isArray(raw) ? { frames: raw } : raw
  if (!isObject(source) || !Array.isArray(source.frames)) return undefined
  const all: readonly unknown[] = source.frames
  const omitted = Math.max(all.length - MAX_FRAMES, 0)
  const framesScope = within(scope, 'frames')
  if (omitted > 0) remark(scope, 'frames', 'trimmed', '!limit', all.length)

  const frames: Mutable<Frame>[] = []
  const kept = all.length - omitted
  for (let index = 0; index < kept; index++) {
    const frame = all[omitted + index]
    if (!isObject(frame)) continue
    const rich = index < RICH_AT_EACH_END || index >= kept - RICH_AT_EACH_END
    frames.push(readFrame(within(framesScope, frames.length), frame, state, rich))
  }
  if (frames.length === 0) return undefined

  const stacktrace: Mutable<Stacktrace> = { frames }
  if (omitted > 0) stacktrace.frames_omitted = [0, omitted]
  else {
    const range = readOmitted(source.frames_omitted)
    if (range) stacktrace.frames_omitted = range
  }
  const registers = readRegisters(source.registers)
  if (registers) stacktrace.registers = registers
  return stacktrace
}

function readOmitted(raw: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(raw) || raw.length !== 2) return undefined
  const [from, to]: unknown[] = raw
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) ? [from as number, to as number] : undefined
}

function readRegisters(raw: unknown): Record<string, string> | undefined {
  if (!isObject(raw)) return undefined
  const registers = emptyRecord<string>()
  const entries = Object.entries(raw).slice(0, MAX_REGISTERS)
  for (const [name, value] of entries) {
    const text = typeof value === 'number' ? `0x${value.toString(16)}` : lenientText(value)
    if (text !== undefined && name.length <= 40) registers[name] = text.slice(0, 80)
  }
  return Object.keys(registers).length > 0 ? registers : undefined
}
