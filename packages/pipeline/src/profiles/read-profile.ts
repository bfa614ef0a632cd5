/**
 * The sample format of SDKs, with the time of each sample counted from the start (version 1, one transaction) or as a time
 * of its own (version 2, chunks): https://develop.sentry.dev/sdk/telemetry/profiles/sample-format-v1/ and -v2/. One pass;
 * stacks become a tree, so that what they have in common is kept once. Indexes that name nothing are left out.
 */
import { isInApp } from '../normalize/in-app.ts'
import { cleanText, cutText, isObject, lenientNumber, lenientText } from '../normalize/read-fields.ts'
import { parseTimestamp } from '../normalize/timestamp.ts'
import type { Profile, ProfileFrame } from './profile.ts'

/** Half a minute of ten threads at a hundred samples a second, and as much again. */
const MAX_SAMPLES = 60_000
const MAX_FRAMES = 5_000
const MAX_NODES = 40_000
/** Python takes 128 frames of a stack, browsers about as many. The outermost are kept. */
const MAX_DEPTH = 256
/** Frames of all stacks that are looked at. */
const MAX_STEPS = 2_000_000
const MAX_THREADS = 256
const MAX_TEXT = 200
/** SDKs end a profile after half a minute, a chunk after a minute. */
const MAX_SPAN_US = 3_600_000_000

/** Undefined: there is no sample in it. `startMs` is when a profile of version 1 began. */
export function readProfile(
  raw: unknown,
  platform: string,
  startMs: number | undefined,
): Profile | undefined {
  if (!isObject(raw)) return undefined
  const remarks = new Set<string>()
  const given = listOf(raw.samples)
  const rawFrames = listOf(raw.frames)
  if (given.length > MAX_SAMPLES) remarks.add('samples_cut')
  if (rawFrames.length > MAX_FRAMES) remarks.add('frames_cut')
  const frames = rawFrames.slice(0, MAX_FRAMES).map((frame) => readFrame(frame, platform))
  const tree = createTree(listOf(raw.stacks), frames.length, remarks)
  const threads = createThreads(raw.thread_metadata, remarks)
  const found: [atUs: number, node: number, thread: number][] = []
  for (const sample of given.slice(0, MAX_SAMPLES)) {
    if (!isObject(sample)) continue
    const atUs =
      startMs === undefined
        ? (parseTimestamp(sample.timestamp) ?? Number.NaN) * 1e6
        : (lenientNumber(sample.elapsed_since_start_ns) ?? Number.NaN) / 1000
    const stack = lenientNumber(sample.stack_id)
    const node = Number.isFinite(atUs) && stack !== undefined ? tree.nodeOf(stack) : undefined
    if (node === undefined) continue
    const thread = threads.indexOf(sample.thread_id)
    if (thread !== undefined) found.push([atUs, node, thread])
  }
  found.sort((a, b) => a[0] - b[0])
  const firstUs = startMs === undefined ? (found[0]?.[0] ?? 0) : 0
  const samples = found.flatMap(([atUs, node, thread]) => {
    const offset = Math.round(Math.max(0, atUs - firstUs))
    return offset > MAX_SPAN_US ? [] : [offset, node, thread]
  })
  if (samples.length === 0) return undefined
  if (samples.length < 3 * Math.min(given.length, MAX_SAMPLES)) remarks.add('samples_invalid')
  return {
    frames,
    nodes: tree.nodes,
    samples,
    threads: threads.list,
    startMs: startMs ?? firstUs / 1000,
    durationMs: (samples.at(-3)! - samples[0]!) / 1000,
    remark: [...remarks].join(' '),
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const textOf = (value: unknown): string => cutText(cleanText(lenientText(value) ?? ''), MAX_TEXT)

function readFrame(raw: unknown, platform: string): ProfileFrame {
  const frame = isObject(raw) ? raw : {}
  // What stands behind a question mark is for the server, and may be anybody's secret.
  const file = textOf(frame.abs_path ?? frame.filename).split(/[?#]/, 1)[0] ?? ''
  const name = textOf(frame.function) || textOf(frame.raw_function) || textOf(frame.instruction_addr)
  const module = textOf(frame.module) || textOf(frame.package)
  const site = { function: name, module, abs_path: file, filename: textOf(frame.filename) }
  return {
    name: name || '(anonymous)',
    file,
    line: place(frame.lineno),
    column: place(frame.colno),
    module,
    inApp:
      typeof frame.in_app === 'boolean' ? frame.in_app : isInApp(site, textOf(frame.platform) || platform),
    problem: '',
  }
}

const MAX_PLACE = 0xffff_ffff
function place(value: unknown): number {
  const number = lenientNumber(value)
  return number !== undefined && number > 0 && number <= MAX_PLACE ? Math.trunc(number) : 0
}

/** Stacks are read when a sample names them, each once. The innermost frame comes first in them. */
function createTree(stacks: readonly unknown[], frames: number, remarks: Set<string>) {
  const nodes: number[] = []
  const children = new Map<number, number>()
  const known = new Map<number, number>()
  let steps = 0
  const childOf = (parent: number, frame: number): number | undefined => {
    // Below 2^53: both are bounded by tens of thousands.
    const key = (parent + 1) * MAX_FRAMES + frame
    const child = children.get(key)
    if (child !== undefined) return child
    if (nodes.length >= 2 * MAX_NODES) return undefined
    const made = nodes.length / 2
    nodes.push(parent, frame)
    children.set(key, made)
    return made
  }
  const read = (stack: readonly unknown[]): number => {
    let node = -1
    const last = Math.max(0, stack.length - MAX_DEPTH)
    if (last > 0) remarks.add('depth_cut')
    for (let at = stack.length - 1; at >= last; at--) {
      if (++steps > MAX_STEPS) {
        remarks.add('stacks_cut')
        break
      }
      const frame = stack[at]
      if (typeof frame !== 'number' || !Number.isInteger(frame) || frame < 0 || frame >= frames) {
        remarks.add('frames_invalid')
        continue
      }
      const child = childOf(node, frame)
      if (child === undefined) {
        remarks.add('stacks_cut')
        break
      }
      node = child
    }
    return node
  }
  return {
    nodes,
    /** -1: nothing ran. Undefined: no stack has the number. */
    nodeOf(index: number): number | undefined {
      const before = known.get(index)
      if (before !== undefined) return before
      const stack = stacks[index]
      if (!Array.isArray(stack)) return undefined
      const node = read(stack as readonly unknown[])
      known.set(index, node)
      return node
    },
  }
}

function createThreads(metadata: unknown, remarks: Set<string>) {
  const names = isObject(metadata) ? metadata : {}
  const list: { id: string; name: string }[] = []
  const known = new Map<string, number>()
  return {
    list,
    indexOf(raw: unknown): number | undefined {
      const id = textOf(raw)
      const before = known.get(id)
      if (before !== undefined) return before
      if (list.length >= MAX_THREADS) {
        remarks.add('threads_cut')
        return undefined
      }
      const about = Object.hasOwn(names, id) ? names[id] : undefined
      const index = list.push({ id, name: isObject(about) ? textOf(about.name) : '' }) - 1
      known.set(id, index)
      return index
    },
  }
}
