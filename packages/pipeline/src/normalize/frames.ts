/** One stack frame. https://develop.sentry.dev/sdk/data-model/event-payloads/stacktrace/#frame-attributes */
import type { Frame } from '@sonde/protocol/event'
import { BAG, objectBag } from './bag.ts'
import {
  booleanField,
  countField,
  lenientText,
  limitText,
  textField,
  type Mutable,
  type RawObject,
} from './read.ts'
import type { Scope } from './scope.ts'
import type { StackState } from './stack-state.ts'
import { readPlatform } from './platform.ts'

const SYMBOL = 256
const CONTEXT_LINES = 5
const CONTEXT_LINE = 512

/** `rich`: vars and source context are kept only near the ends of a stack. */
export function readFrame(scope: Scope, raw: RawObject, state: StackState, rich: boolean): Mutable<Frame> {
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
    const data = objectBag(scope, 'data', raw.data, BAG.medium)
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
  const vars = objectBag(scope, 'vars', named, BAG.medium)
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
export function readAddress(scope: Scope, raw: RawObject, key: string): string | undefined {
  const value = raw[key]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return `0x${value.toString(16)}`
  const text = textField(scope, raw, key, 40)
  if (text === undefined) return undefined
  return /^\d+$/.test(text) && !text.startsWith('0') ? `0x${BigInt(text).toString(16)}` : text.toLowerCase()
}
