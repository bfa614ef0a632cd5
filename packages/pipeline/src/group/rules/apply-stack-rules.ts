/**
 * A project's stack-trace rules, applied to an event: which frames are the app's, and which take part in grouping. The
 * flag as it came is kept in the frame (`data.orig_in_app`), so that other rules can be tried on a stored event.
 */
import type { Exception, Frame, NormalizedEvent, Stacktrace, Thread } from '@sonde/protocol/event'
import {
  globOptionsOf,
  type StackAction,
  type StackMatcher,
  type StackRule,
} from '@sonde/protocol/grouping-rules'
import { type FrameTexts, frameTexts, isFamily, saysYes } from './frame-texts.ts'
import { createPatternSet, type PatternSet } from './pattern-set.ts'

type Stacked = Pick<NormalizedEvent, 'platform' | 'exception' | 'threads'>

/** What rules did to an event. */
export type StackResult<Event> = {
  /** Its frames as they are shown: with the flags of the rules. */
  readonly shown: Event
  /** Only the frames that take part in grouping. */
  readonly grouped: Event
  /** Texts of the rules that changed something, each with how many frames; at most 20. */
  readonly applied: readonly { readonly rule: string; readonly frames: number }[]
}

const MAX_APPLIED = 20

export type ApplyStackRules = <Event extends Stacked>(event: Event) => StackResult<Event>

/** A matcher and the number of its pattern among those of its field. */
type Test = { readonly matcher: StackMatcher; readonly set: PatternSet | undefined; readonly number: number }
type Rule = {
  readonly rule: StackRule
  readonly caller: readonly Test[]
  readonly matchers: readonly Test[]
  readonly callee: readonly Test[]
}

export function compileStackRules(parsed: readonly StackRule[]): ApplyStackRules {
  const sets = new Map<string, PatternSet>()
  const testOf = (matcher: StackMatcher): Test => {
    const { name, pattern, glob } = matcher
    if (name === 'app' || name === 'family') return { matcher, set: undefined, number: 0 }
    const set = sets.get(name) ?? createPatternSet(globOptionsOf(name))
    sets.set(name, set)
    return { matcher, set, number: set.add(pattern, glob) }
  }
  const rules = parsed.map((rule): Rule => ({
    rule,
    caller: rule.caller.map(testOf),
    matchers: rule.matchers.map(testOf),
    callee: rule.callee.map(testOf),
  }))
  return (event) => {
    const applied = new Map<string, number>()
    const noteRule = (rule: StackRule, frames: number): void => {
      applied.set(rule.text, (applied.get(rule.text) ?? 0) + frames)
    }
    const of = <Entry extends Exception | Thread>(list: readonly Entry[] | undefined) =>
      list?.map((entry) => {
        const { stacktrace } = entry
        if (!stacktrace || stacktrace.frames.length === 0) return { shown: entry, grouped: entry }
        const result = applyTo(stacktrace, entry, event.platform, rules, noteRule)
        return { shown: withStack(entry, result.shown), grouped: withStack(entry, result.grouped) }
      })
    const exception = of(event.exception)
    const threads = of(event.threads)
    const withLists = (kind: 'shown' | 'grouped') => ({
      ...event,
      ...(exception && { exception: exception.map((entry) => entry[kind]) }),
      ...(threads && { threads: threads.map((entry) => entry[kind]) }),
    })
    const list = [...applied].slice(0, MAX_APPLIED).map(([rule, frames]) => ({ rule, frames }))
    return { shown: withLists('shown'), grouped: withLists('grouped'), applied: list }
  }
}

const withStack = <Entry extends Exception | Thread>(entry: Entry, stacktrace: Stacktrace): Entry =>
  entry.stacktrace === stacktrace ? entry : { ...entry, stacktrace }

type Marks = { readonly app: boolean[]; readonly group: boolean[] }

function applyTo(
  stacktrace: Stacktrace,
  entry: Exception | Thread,
  eventPlatform: string,
  rules: readonly Rule[],
  noteRule: (rule: StackRule, frames: number) => void,
): { readonly shown: Stacktrace; readonly grouped: Stacktrace } {
  const { frames } = stacktrace
  const texts = frames.map(frameTexts)
  const marks: Marks = { app: frames.map((frame) => frame.in_app), group: frames.map(() => true) }
  const seen: Seen = { frames, texts, marks, entry, eventPlatform }
  let maxFrames = 0
  let minFrames = 0
  for (const { rule, caller, matchers, callee } of rules) {
    let changed = 0
    for (let at = 0; at < frames.length; at++) {
      if (!isMatch(matchers, at, seen)) continue
      if (caller.length > 0 && (at === 0 || !isMatch(caller, at - 1, seen))) continue
      if (callee.length > 0 && (at === frames.length - 1 || !isMatch(callee, at + 1, seen))) continue
      for (const action of rule.actions) {
        if ('frames' in action) changed += mark(marks, action, at)
        else {
          if (action.kind === 'max-frames') maxFrames = action.count
          else minFrames = action.count
          changed++
        }
      }
    }
    if (changed > 0) noteRule(rule, changed)
  }
  const marked = frames.map((frame, at) => withApp(frame, marks.app[at] === true))
  const shown = marked.some((frame, at) => frame !== frames[at])
    ? { ...stacktrace, frames: marked }
    : stacktrace
  const kept = limited(
    marked.filter((_, at) => marks.group[at]),
    maxFrames,
    minFrames,
  )
  return { shown, grouped: kept.length === marked.length ? shown : { ...stacktrace, frames: kept } }
}

/** How many flags it changed. */
function mark(marks: Marks, action: Extract<StackAction, { readonly frames: string }>, at: number): number {
  const list = marks[action.kind]
  // The crash stands last.
  const from = action.frames === 'above' ? at + 1 : action.frames === 'below' ? 0 : at
  const to = action.frames === 'above' ? list.length : action.frames === 'below' ? at : at + 1
  let changed = 0
  for (let each = from; each < to; each++) {
    if (list[each] === action.isSet) continue
    list[each] = action.isSet
    changed++
  }
  return changed
}

/** Frames of the app count alone where there are any; a limit is one of those that count. */
function limited(frames: readonly Frame[], max: number, min: number): readonly Frame[] {
  if (max === 0 && min === 0) return frames
  const own = frames.filter((frame) => frame.in_app)
  const counted = own.length > 0 ? own : frames
  if (counted.length < min) return []
  return max > 0 && counted.length > max ? counted.slice(-max) : frames
}

function withApp(frame: Frame, isInApp: boolean): Frame {
  if (frame.in_app === isInApp) return frame
  return { ...frame, in_app: isInApp, data: { ...frame.data, orig_in_app: frame.in_app } }
}

type Seen = {
  readonly frames: readonly Frame[]
  readonly texts: readonly FrameTexts[]
  readonly marks: Marks
  readonly entry: Exception | Thread
  readonly eventPlatform: string
}

const isMatch = (tests: readonly Test[], at: number, seen: Seen): boolean =>
  tests.every((test) => isHere(test, at, seen) !== test.matcher.isNot)

function isHere({ matcher: { name, pattern }, set, number }: Test, at: number, seen: Seen): boolean {
  const { frames, texts, marks, entry, eventPlatform } = seen
  if (name === 'app') return marks.app[at] === saysYes(pattern)
  if (name === 'family') return isFamily(frames[at]?.platform ?? eventPlatform, pattern)
  const of = (text: string): boolean => set?.matching(text).has(number) === true
  if (name === 'stack.abs_path') return texts[at]?.paths.some(of) === true
  if (name === 'stack.module') return texts[at]?.module.some(of) === true
  if (name === 'stack.function') return texts[at]?.function.some(of) === true
  if (name === 'stack.package') return texts[at]?.package.some(of) === true
  if (!('type' in entry || 'value' in entry || 'mechanism' in entry)) return false
  const { type, value, mechanism } = entry
  const text = name === 'error.type' ? type : name === 'error.value' ? value : mechanism?.type
  return text !== undefined && of(text)
}

/** Undoes what rules did to the flags of a stored event's frames. */
export function withoutStackRules<Event extends Stacked>(event: Event): Event {
  const of = <Entry extends Exception | Thread>(entry: Entry): Entry => {
    const frames = entry.stacktrace?.frames
    if (!entry.stacktrace || !frames?.some(hasOwnFlag)) return entry
    return { ...entry, stacktrace: { ...entry.stacktrace, frames: frames.map(withOwnFlag) } }
  }
  return {
    ...event,
    ...(event.exception && { exception: event.exception.map(of) }),
    ...(event.threads && { threads: event.threads.map(of) }),
  }
}

const hasOwnFlag = ({ data }: Frame): boolean => typeof data?.['orig_in_app'] === 'boolean'

function withOwnFlag(frame: Frame): Frame {
  if (!hasOwnFlag(frame)) return frame
  const { orig_in_app: isInApp, ...data } = frame.data ?? {}
  const { data: _data, ...rest } = frame
  return { ...rest, in_app: isInApp === true, ...(Object.keys(data).length > 0 && { data }) }
}
