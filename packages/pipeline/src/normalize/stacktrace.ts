/** https://develop.sentry.dev/sdk/data-model/event-payloads/stacktrace/ */
import type { Frame, Stacktrace, Thread } from '@sonde/protocol/event'
import { JSON_LIMITS, boundedObject } from './bounded-json.ts'
import { isInApp } from './in-app.ts'
import { remark, type Scope, within } from './meta-remarks.ts'
import {
  booleanField,
  countField,
  emptyRecord,
  isObject,
  lenientText,
  limitText,
  listOf,
  type Mutable,
  type RawObject,
  textField,
} from './read-fields.ts'
import { readPlatform } from './sdk.ts'

/** https://develop.sentry.dev/sdk/data-model/event-payloads/threads/ */
const MAX_THREADS = 256

export function readThreads(scope: Scope, raw: unknown, state: StackState): Thread[] | undefined {
  const all = listOf(raw)
  if (all.length > MAX_THREADS) remark(scope, 'threads', 'trimmed', '!limit', all.length)
  const listScope = within(scope, 'threads')
  const threads: Thread[] = []
  for (const entry of all.slice(0, MAX_THREADS))
    if (isObject(entry)) threads.push(readThread(within(listScope, threads.length), entry, state))
  return threads.length > 0 ? threads : undefined
}

/** A stack trace beside exceptions that have their own, or without any: the thread that reported the event. */
export function threadOfLegacyStacktrace(
  scope: Scope,
  raw: unknown,
  state: StackState,
): Thread[] | undefined {
  const stacktrace = readStacktrace(within(scope, 'stacktrace'), raw, state)
  return stacktrace ? [{ current: true, stacktrace }] : undefined
}

function readThread(scope: Scope, raw: RawObject, state: StackState): Thread {
  const thread: Mutable<Thread> = {}
  const id = textField(scope, raw, 'id', 128)
  if (id !== undefined) thread.id = id
  const name = textField(scope, raw, 'name', 1024)
  if (name !== undefined) thread.name = name
  const crashed = booleanField(scope, raw, 'crashed')
  if (crashed !== undefined) thread.crashed = crashed
  const current = booleanField(scope, raw, 'current')
  if (current !== undefined) thread.current = current
  const main = booleanField(scope, raw, 'main')
  if (main !== undefined) thread.main = main
  const threadState = textField(scope, raw, 'state', 128)
  if (threadState !== undefined) thread.state = threadState
  const stacktrace = readStacktrace(within(scope, 'stacktrace'), raw.stacktrace, state)
  if (stacktrace) thread.stacktrace = stacktrace
  return thread
}

/** One stack frame. https://develop.sentry.dev/sdk/data-model/event-payloads/stacktrace/#frame-attributes */
const SYMBOL = 256
const CONTEXT_LINES = 5
const CONTEXT_LINE = 512

/** `rich`: vars and source context are kept only near the ends of a stack. */
function readFrame(scope: Scope, raw: RawObject, state: StackState, rich: boolean): Mutable<Frame> {
  const frame: Mutable<Frame> = { in_app: false }
  const fn = textField(scope, raw, 'function', SYMBOL, 20)
  if (fn !== undefined && fn !== '?') frame.function = fn
  const rawFunction = textField(scope, raw, 'raw_function', SYMBOL, 20)
  if (rawFunction !== undefined) frame.raw_function = rawFunction
  const module = textField(scope, raw, 'module', SYMBOL, 20)
  if (module !== undefined) frame.module = module
  const pack = textField(scope, raw, 'package', SYMBOL, 40)
  if (pack !== undefined) frame.package = pack
  if (typeof raw.platform === 'string') frame.platform = readPlatform(raw.platform)
  readPaths(scope, raw, frame, frame.platform ?? state.platform)

  const lineno = countField(scope, raw, 'lineno')
  if (lineno !== undefined) frame.lineno = lineno
  const colno = countField(scope, raw, 'colno')
  if (colno !== undefined) frame.colno = colno
  if (rich) readSource(scope, raw, frame)
  readAddresses(scope, raw, frame)
  if (raw.data !== undefined) {
    const data = boundedObject(scope, 'data', raw.data, JSON_LIMITS.medium)
    if (data !== undefined) frame.data = data
  }

  const inApp = booleanField(scope, raw, 'in_app')
  if (inApp === undefined) state.undecided.push(frame)
  else {
    frame.in_app = inApp
    if (inApp) state.sdkMarkedInApp = true
  }
  return frame
}

function readPaths(scope: Scope, raw: RawObject, frame: Mutable<Frame>, platform: string): void {
  const given = textField(scope, raw, 'filename', SYMBOL, 40)
  const absPath = textField(scope, raw, 'abs_path', SYMBOL, 40) ?? given
  let filename = given ?? absPath
  // Browsers know a file by its URL only; host and query say where it was served from, not which file it is.
  if (
    filename !== undefined &&
    (platform === 'javascript' || platform === 'node') &&
    filename.startsWith('http')
  )
    filename = urlPath(filename)
  if (filename !== undefined) frame.filename = filename
  if (absPath !== undefined) frame.abs_path = absPath
}

function urlPath(url: string): string {
  const host = url.indexOf('://')
  if (host < 0) return url
  const start = url.indexOf('/', host + 3)
  if (start < 0) return '/'
  const end = url.slice(start).search(/[?#]/)
  return end < 0 ? url.slice(start) : url.slice(start, start + end)
}

function readSource(scope: Scope, raw: RawObject, frame: Mutable<Frame>): void {
  const line = raw.context_line
  if (typeof line === 'string') frame.context_line = limitText(scope, 'context_line', line, CONTEXT_LINE)
  const before = readLines(scope, raw, 'pre_context')
  if (before) frame.pre_context = before.slice(-CONTEXT_LINES)
  const after = readLines(scope, raw, 'post_context')
  if (after) frame.post_context = after.slice(0, CONTEXT_LINES)
  if (raw.vars === undefined || raw.vars === null) return
  // Old SDKs send positional arguments as a list.
  const named = Array.isArray(raw.vars) ? Object.fromEntries(raw.vars.entries()) : raw.vars
  const vars = boundedObject(scope, 'vars', named, JSON_LIMITS.medium)
  if (vars !== undefined) frame.vars = vars
}

function readLines(scope: Scope, raw: RawObject, key: string): string[] | undefined {
  const lines = raw[key]
  if (!Array.isArray(lines) || lines.length === 0) return undefined
  const near = key === 'pre_context' ? lines.slice(-CONTEXT_LINES) : lines.slice(0, CONTEXT_LINES)
  return near.map((line: unknown) => limitText(scope, key, lenientText(line) ?? '', CONTEXT_LINE))
}

function readAddresses(scope: Scope, raw: RawObject, frame: Mutable<Frame>): void {
  const instruction = readAddress(scope, raw, 'instruction_addr')
  if (instruction !== undefined) frame.instruction_addr = instruction
  const symbol = readAddress(scope, raw, 'symbol_addr')
  if (symbol !== undefined) frame.symbol_addr = symbol
  const image = readAddress(scope, raw, 'image_addr')
  if (image !== undefined) frame.image_addr = image
}

/** `0x…`; decimal numbers, as text or not, are turned into it. */
function readAddress(scope: Scope, raw: RawObject, key: string): string | undefined {
  const value = raw[key]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return `0x${value.toString(16)}`
  const text = textField(scope, raw, key, 40)
  if (text === undefined) return undefined
  return /^\d+$/.test(text) && !text.startsWith('0') ? `0x${BigInt(text).toString(16)}` : text.toLowerCase()
}

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

/**
 * What the frames of one event share while it is normalised. Whether a silent SDK means "in app" can be known only
 * after all frames were seen: an SDK that marked one of them knows its own code and meant the rest not to be.
 */
export type StackState = {
  readonly platform: string
  readonly undecided: Mutable<Frame>[]
  sdkMarkedInApp: boolean
}

export function createStackState(platform: string): StackState {
  return { platform, undecided: [], sdkMarkedInApp: false }
}

/** Call once, after the last frame of the event. */
export function decideInApp(state: StackState): void {
  for (const frame of state.undecided)
    frame.in_app = state.sdkMarkedInApp ? false : isInApp(frame, frame.platform ?? state.platform)
}
