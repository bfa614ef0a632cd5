/**
 * The first fingerprint rule of a project that matches an event. Rules are not tried one by one: the patterns that match
 * the event's texts are found first, and only rules that name one of them are looked at.
 */
import type { NormalizedEvent } from '@sonde/protocol/event'
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
  /** By field and pattern: the rules that can only match where the pattern does. */
  const byPattern = new Map<string, Map<number, number[]>>()
  const always: number[] = []
  const rules = parsed.map((rule, at): Rule => {
    const tests = rule.matchers.map((matcher) => testOf(sets, matcher))
    const key = tests.filter(isFound).toSorted((a, b) => weightOf(b.matcher) - weightOf(a.matcher))[0]
    if (!key) always.push(at)
    else {
      const numbers = byPattern.get(key.field) ?? new Map<number, number[]>()
      byPattern.set(key.field, numbers.set(key.number, [...(numbers.get(key.number) ?? []), at]))
    }
    return {
      rule,
      ofEvent: tests.filter(({ matcher }) => !isOfError(matcher) && !isOfFrame(matcher)),
      ofError: tests.filter(({ matcher }) => isOfError(matcher)),
      ofFrame: tests.filter(({ matcher }) => isOfFrame(matcher)),
    }
  })
  return (event) => {
    const facts = factsOf(event, sets)
    const candidates = new Set(always)
    for (const [field, numbers] of byPattern)
      for (const found of facts.found(field))
        for (const number of found) for (const at of numbers.get(number) ?? []) candidates.add(at)
    for (const at of [...candidates].sort((a, b) => a - b)) {
      const rule = rules[at]
      if (rule && isMatch(rule, facts)) return rule.rule
    }
    return undefined
  }
}

function testOf(sets: Map<string, PatternSet>, matcher: FingerprintMatcher): Test {
  const { name, tag, pattern, glob } = matcher
  if (name === 'app' || name === 'family') return { matcher, field: name, number: 0 }
  const field = name === 'tags' ? `tags.${tag}` : name
  const set = sets.get(field) ?? createPatternSet(globOptionsOf(name))
  sets.set(field, set)
  return { matcher, field, number: set.add(pattern, glob) }
}

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
    text === undefined ? NONE : (sets.get(field)?.matching(text) ?? NONE)
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

function framesOf({ exception = [], threads = [] }: RuledEvent): readonly FrameTexts[] {
  const stacks = exception.some(({ stacktrace }) => stacktrace) ? exception : threads
  return stacks.flatMap(({ stacktrace }) => stacktrace?.frames ?? []).map(frameTexts)
}

function textsOf(event: RuledEvent, field: string): readonly string[] {
  if (field === 'message') {
    const { message, formatted } = event.logentry ?? {}
    // It is hard to keep them apart: what one SDK logs another throws.
    return [message, formatted, ...(event.exception ?? []).map(({ value }) => value)].filter(isText)
  }
  if (field.startsWith('tags.')) {
    const name = field.slice('tags.'.length)
    return (event.tags ?? []).filter(([tag]) => tag === name).map(([, value]) => value)
  }
  if (field === 'logger') return [event.logger].filter(isText)
  if (field === 'level') return [event.level]
  if (field === 'release') return [event.release].filter(isText)
  return [event.sdk?.name].filter(isText)
}

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
