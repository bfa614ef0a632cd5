/**
 * The first fingerprint rule of a project that matches an event. Rules are not tried one by one: the patterns that match
 * the event's texts are found first, and only rules that name one of them are looked at.
 */
import type { Exception, NormalizedEvent, Thread } from '@sonde/protocol/event'
import { type FingerprintMatcher, type FingerprintRule, globOptionsOf } from '@sonde/protocol/grouping-rules'
import { type FrameTexts, frameTexts, isFamily, saysYes } from './frame-texts.ts'
import { createPatternSet, type PatternSet } from './pattern-set.ts'

export type RuledEvent = Pick<
  NormalizedEvent,
  'platform' | 'level' | 'logger' | 'release' | 'sdk' | 'tags' | 'logentry' | 'exception' | 'threads'
>

/** Pure. */
export type MatchFingerprint = (event: RuledEvent) => FingerprintRule | undefined

const FRAME_FIELDS = ['stack.abs_path', 'stack.module', 'stack.function', 'stack.package'] as const
type FrameField = (typeof FRAME_FIELDS)[number]
type Field = Exclude<FingerprintMatcher['name'], 'app' | 'family'>

/** A matcher and the number of its pattern among those of its field. */
type Test = { readonly matcher: FingerprintMatcher; readonly field: string; readonly number: number }
type Rule = {
  readonly rule: FingerprintRule
  readonly ofEvent: readonly Test[]
  readonly ofError: readonly Test[]
  readonly ofFrame: readonly Test[]
}

export function compileFingerprints(parsed: readonly FingerprintRule[]): MatchFingerprint {
  const sets = new Map<string, PatternSet>()
  /** By set and pattern: the rules that can only match where the pattern does. */
  const byPattern = new Map<string, Map<number, number[]>>()
  const always: number[] = []
  const rules = parsed.map((rule, at): Rule => {
    const tests = rule.matchers.map((matcher) => testOf(sets, matcher))
    const key = tests.filter(isFound).toSorted((a, b) => weightOf(b.matcher) - weightOf(a.matcher))[0]
    if (!key) always.push(at)
    else {
      const field = setOf(key.field)
      const numbers = byPattern.get(field) ?? new Map<number, number[]>()
      byPattern.set(field, numbers.set(key.number, [...(numbers.get(key.number) ?? []), at]))
    }
    return {
      rule,
      ofEvent: tests.filter(({ matcher }) => !isOfError(matcher) && !isOfFrame(matcher)),
      ofError: tests.filter(({ matcher }) => isOfError(matcher)),
      ofFrame: tests.filter(({ matcher }) => isOfFrame(matcher)),
    }
  })
  const keyed = (field: string): Keyed | undefined => {
    const [set, rulesOf] = [sets.get(field), byPattern.get(field)]
    return set && rulesOf && { set, rulesOf }
  }
  const [type, message] = [keyed('error.type'), keyed('message')]
  const [path, module, fn, pack] = FRAME_FIELDS.map(keyed)
  const ofFrames = path ?? module ?? fn ?? pack
  const others = [...byPattern.keys()]
    .filter((field) => !field.startsWith('stack.') && field !== 'error.type' && field !== 'message')
    .flatMap((field) => {
      const key = keyed(field)
      return key ? [{ field, key }] : []
    })
  return (event) => {
    let candidates: Set<number> | undefined
    const look = ({ set, rulesOf }: Keyed, text: string): void => {
      const found = set.matching(text)
      if (found.size === 0) return
      candidates ??= new Set(always)
      for (const number of found) for (const at of rulesOf.get(number) ?? []) candidates.add(at)
    }
    for (const error of event.exception ?? []) {
      if (type && error.type !== undefined) look(type, error.type)
      if (message && error.value !== undefined) look(message, error.value)
    }
    if (message) for (const text of loggedIn(event)) look(message, text)
    for (const { field, key } of others) for (const text of textsOf(event, field)) look(key, text)
    if (ofFrames)
      for (const { stacktrace } of stacksOf(event)) {
        // Calls within one file stand one after the other: their texts are looked at once.
        let [lastAbsPath, lastFilename, lastModule, lastFunction, lastPackage]: (string | undefined)[] = []
        for (const frame of stacktrace?.frames ?? []) {
          if (path) {
            const { abs_path: absPath, filename } = frame
            if (absPath !== undefined && absPath !== lastAbsPath) look(path, (lastAbsPath = absPath))
            if (filename !== undefined && filename !== absPath && filename !== lastFilename)
              look(path, (lastFilename = filename))
          }
          if (module && frame.module !== undefined && frame.module !== lastModule)
            look(module, (lastModule = frame.module))
          if (fn && frame.function !== undefined && frame.function !== lastFunction)
            look(fn, (lastFunction = frame.function))
          if (pack && frame.package !== undefined && frame.package !== lastPackage)
            look(pack, (lastPackage = frame.package))
        }
      }
    // Nearly every event matches none.
    const list = candidates ? [...candidates].sort((a, b) => a - b) : always
    if (list.length === 0) return undefined
    const facts = factsOf(event, sets)
    for (const at of list) {
      const rule = rules[at]
      if (rule && isMatch(rule, facts)) return rule.rule
    }
    return undefined
  }
}

/** Patterns of a field, and for the number of each the rules that can only match where it does. */
type Keyed = { readonly set: PatternSet; readonly rulesOf: ReadonlyMap<number, readonly number[]> }

function testOf(sets: Map<string, PatternSet>, matcher: FingerprintMatcher): Test {
  const { name, tag, pattern, glob } = matcher
  if (name === 'app' || name === 'family') return { matcher, field: name, number: 0 }
  const field = name === 'tags' ? `tags.${tag}` : name
  const set = sets.get(setOf(field)) ?? createPatternSet(globOptionsOf(name))
  sets.set(setOf(field), set)
  return { matcher, field, number: set.add(pattern, glob) }
}

/** What an error says is a message too, and is compared alike: it is looked at once for the patterns of both. */
const setOf = (field: string): string => (field === 'error.value' ? 'message' : field)

/** A rule may be found by it: it says what must be there. */
const isFound = ({ matcher: { isNot, name } }: Test): boolean => !isNot && name !== 'app' && name !== 'family'
const isOfError = ({ name }: FingerprintMatcher): boolean => name === 'error.type' || name === 'error.value'
const isOfFrame = ({ name }: FingerprintMatcher): boolean => name === 'app' || name.startsWith('stack.')

/** The more a pattern says, the fewer events lead to its rule; one text says most. */
const weightOf = ({ glob, name }: FingerprintMatcher): number =>
  (glob.literal === undefined ? glob.needs.length : 1_000 + glob.literal.length) -
  (name === 'level' ? 2_000 : 0)

type ErrorFound = { readonly type: ReadonlySet<number>; readonly value: ReadonlySet<number> }
type FrameFound = Readonly<Record<FrameField, ReadonlySet<number>>> & { readonly isInApp: boolean }
type Facts = {
  readonly platform: string
  /** One set for each text of the field. */
  found(field: string): readonly ReadonlySet<number>[]
  errors(): readonly ErrorFound[]
  frames(): readonly FrameFound[]
}

const NONE: ReadonlySet<number> = new Set()

/** Looked up when a rule asks for it, and once. */
function factsOf(event: RuledEvent, sets: ReadonlyMap<string, PatternSet>): Facts {
  const known = new Map<string, readonly ReadonlySet<number>[]>()
  const textFound = (field: Field, text: string | undefined): ReadonlySet<number> =>
    text === undefined ? NONE : (sets.get(setOf(field))?.matching(text) ?? NONE)
  let errors: readonly ErrorFound[] | undefined
  let frames: readonly FrameFound[] | undefined
  const facts: Facts = {
    platform: event.platform,
    found(field) {
      let found = known.get(field)
      if (!found) known.set(field, (found = find(field)))
      return found
    },
    errors: () =>
      (errors ??= (event.exception ?? []).map(({ type, value }) => ({
        type: textFound('error.type', type),
        value: textFound('error.value', value),
      }))),
    frames: () => (frames ??= framesOf(event).map((texts) => frameFound(texts, sets))),
  }
  const find = (field: string): readonly ReadonlySet<number>[] => {
    if (field === 'error.type') return facts.errors().map(({ type }) => type)
    if (field === 'error.value') return facts.errors().map(({ value }) => value)
    if (FRAME_FIELDS.some((each) => each === field))
      return facts.frames().map((frame) => frame[field as FrameField])
    const set = sets.get(field)
    return set ? textsOf(event, field).map((text) => set.matching(text)) : []
  }
  return facts
}

function frameFound(texts: FrameTexts, sets: ReadonlyMap<string, PatternSet>): FrameFound {
  const any = (field: FrameField, list: readonly string[]): ReadonlySet<number> => {
    const set = sets.get(field)
    if (!set || list.length === 0) return NONE
    const [first = '', second] = list
    const found = set.matching(first)
    return second === undefined ? found : found.union(set.matching(second))
  }
  return {
    'stack.abs_path': any('stack.abs_path', texts.paths),
    'stack.module': any('stack.module', texts.module),
    'stack.function': any('stack.function', texts.function),
    'stack.package': any('stack.package', texts.package),
    isInApp: texts.isInApp,
  }
}

/** Those of errors where there are any, else of threads. */
const stacksOf = ({ exception = [], threads = [] }: RuledEvent): readonly (Exception | Thread)[] =>
  exception.some(({ stacktrace }) => stacktrace) ? exception : threads

const framesOf = (event: RuledEvent): readonly FrameTexts[] =>
  stacksOf(event)
    .flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
    .map(frameTexts)

function textsOf(event: RuledEvent, field: string): readonly string[] {
  if (field === 'message') {
    // It is hard to keep them apart: what one SDK logs another throws.
    return [...loggedIn(event), ...(event.exception ?? []).map(({ value }) => value)].filter(isText)
  }
  if (field === 'logger') return listOf(event.logger)
  if (field === 'level') return [event.level]
  if (field === 'release') return listOf(event.release)
  if (field === 'sdk') return listOf(event.sdk?.name)
  const name = field.slice('tags.'.length)
  const tag = event.tags?.find((each) => each[0] === name)
  return listOf(tag?.[1])
}

function loggedIn({ logentry }: RuledEvent): readonly string[] {
  if (!logentry) return EMPTY
  const { message, formatted } = logentry
  return [message, formatted === message ? undefined : formatted].filter(isText)
}

const listOf = (text: string | undefined): readonly string[] => (text === undefined ? EMPTY : [text])
const EMPTY: readonly string[] = []
const isText = (text: string | undefined): text is string => text !== undefined

/** Matchers of errors have to match one error, those of frames one frame; a negated one of errors, none of the errors. */
function isMatch({ ofEvent, ofError, ofFrame }: Rule, facts: Facts): boolean {
  if (!ofEvent.every((test) => isMatchOfEvent(test, facts))) return false
  const [not, wanted] = [ofError.filter(isNegated), ofError.filter((test) => !isNegated(test))]
  if (not.some((test) => facts.errors().some((error) => isInError(test, error)))) return false
  if (wanted.length > 0 && !facts.errors().some((error) => wanted.every((test) => isInError(test, error))))
    return false
  return (
    ofFrame.length === 0 ||
    facts.frames().some((frame) => ofFrame.every((test) => isMatchOfFrame(test, frame)))
  )
}

const isNegated = ({ matcher }: Test): boolean => matcher.isNot

function isMatchOfEvent({ matcher, field, number }: Test, facts: Facts): boolean {
  const isHere =
    matcher.name === 'family'
      ? isFamily(facts.platform, matcher.pattern)
      : facts.found(field).some((found) => found.has(number))
  return isHere !== matcher.isNot
}

const isInError = ({ matcher, number }: Test, error: ErrorFound): boolean =>
  (matcher.name === 'error.type' ? error.type : error.value).has(number)

function isMatchOfFrame({ matcher, field, number }: Test, frame: FrameFound): boolean {
  const isHere =
    matcher.name === 'app'
      ? frame.isInApp === saysYes(matcher.pattern)
      : frame[field as FrameField].has(number)
  return isHere !== matcher.isNot
}
