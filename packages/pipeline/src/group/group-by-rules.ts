/**
 * Groups an event as its project wants: stack-trace rules change frames, a fingerprint rule may say what the event is,
 * and the project's version of grouping makes the hashes. docs/internals/grouping.md
 */
import { hash } from 'node:crypto'
import type { GroupingTrace, NormalizedEvent } from '@sonde/protocol/event'
import { type FingerprintRule, parseFingerprintRules, parseStackRules } from '@sonde/protocol/grouping-rules'
import type { GroupingRules } from '@sonde/stores'
import { titleOf } from '../normalize/title.ts'
import { groupEvent } from './group-event.ts'
import { type ApplyStackRules, compileStackRules, withoutStackRules } from './rules/apply-stack-rules.ts'
import { compileFingerprints, type MatchFingerprint } from './rules/match-fingerprint.ts'
import { resolveFingerprint } from './v1/fingerprint.ts'
import { requestFailureOf, toldFailure } from './v3/request-failure.ts'

export type GroupedByRules = {
  readonly event: NormalizedEvent
  /** The primary one first; those of the version before last. */
  readonly hashes: readonly string[]
}

const MAX_TITLE = 256
const MAX_RULE_TEXT = 300

/**
 * Pure, and never throws: what cannot be read of the rules is left out. `event` has no mark of earlier rules
 * (`withoutRules`). `receivedMs`: within the time of a move the hashes of the version before count too.
 */
export function groupByRules(
  event: NormalizedEvent,
  settings: GroupingRules,
  receivedMs: number,
): GroupedByRules {
  if (event.type === 'feedback') return alone(event, settings.version)
  const { applyStack, matchFingerprint } = compiledOf(settings)
  const { shown, grouped, applied } = applyStack?.(event) ?? { shown: event, grouped: event, applied: [] }
  const rule = matchFingerprint?.(shown)
  const asRuled = rule ? { ...grouped, fingerprint: rule.fingerprint } : grouped
  const own = groupEvent(asRuled, settings.version)
  const { previous } = settings
  // To take them apart is what the move is for: the hash of before would lead all of them to the one issue that there was.
  const isSplit =
    (own.basis === 'request' || own.basis === 'hydration') && previous?.version !== settings.version
  const before =
    previous && receivedMs < previous.untilMs && previous.version !== settings.version && !isSplit
      ? groupEvent(asRuled, previous.version)
      : undefined
  const title =
    (rule && titleBy(rule, shown)) ?? titleOfFailure(shown, settings.version) ?? titleOfHydration(own)
  const grouping: GroupingTrace = {
    ...own,
    ...(rule && { rule: rule.text.slice(0, MAX_RULE_TEXT) }),
    ...(title !== undefined && { title }),
    ...(applied.length > 0 && {
      stackRules: applied.map((each) => ({ ...each, rule: each.rule.slice(0, MAX_RULE_TEXT) })),
    }),
    ...(before && { before: { version: before.version, hashes: before.hashes } }),
  }
  const derived = { ...shown.derived, ...(title !== undefined && { title }), grouping }
  return { event: { ...shown, derived }, hashes: hashesOf(grouping) }
}

/** Each feedback is an issue of its own: two people who write the same have not the same thing to be answered. */
function alone(event: NormalizedEvent, version: string): GroupedByRules {
  const hashes = [hash('sha256', `feedback ${event.event_id}`, 'hex').slice(0, 32)]
  const parts = [{ from: 'feedback', value: event.event_id }]
  const grouping: GroupingTrace = { version, basis: 'fingerprint', hashes, parts }
  return { event: { ...event, derived: { ...event.derived, grouping } }, hashes }
}

/** All hashes of an event, as they lead to its issue. */
export const hashesOf = ({ hashes, before }: GroupingTrace): readonly string[] => [
  ...new Set([...hashes, ...(before?.hashes ?? [])]),
]

/** A stored event without what rules made of it. Its hashes stay, until it is grouped again. */
export function withoutRules(stored: NormalizedEvent): NormalizedEvent {
  const event = withoutStackRules(stored)
  const { derived } = event
  const given = derived.grouping?.title
  return given !== undefined && given === derived.title
    ? { ...event, derived: { ...derived, title: titleOf(event) } }
    : event
}

function titleBy({ title }: FingerprintRule, event: NormalizedEvent): string | undefined {
  if (title === undefined) return undefined
  const text = resolveFingerprint([title], event)[0]?.trim() ?? ''
  return text === '' ? undefined : text.slice(0, MAX_TITLE)
}

/** Of an issue that is made of one request: "Failed to fetch" tells none from another. Versions before 3 know only what is told. */
function titleOfFailure(event: NormalizedEvent, version: GroupingRules['version']): string | undefined {
  const failure = version === 'v1' || version === 'v2' ? toldFailure(event) : requestFailureOf(event)
  if (failure === undefined) return undefined
  const { endpoint, route, cause } = failure
  const where = route === '' ? '' : ` on ${route}`
  return `Failed to fetch: ${endpoint}${where} (${cause})`.slice(0, MAX_TITLE)
}

/** Of an issue that is made of one place: "Minified React error #418" tells none from another. */
function titleOfHydration({ basis, parts }: GroupingTrace): string | undefined {
  if (basis !== 'hydration') return undefined
  const part = (name: string): string => parts.find(({ from }) => from === name)?.value ?? ''
  const what =
    part('kind') === 'mismatch' ? 'Hydration mismatch' : 'Hydration: the server could not finish a boundary'
  const where = [part('component'), part('route')].map((value) => (value === 'unknown' ? '' : value))
  return `${what}${where[0] && ` in ${where[0]}`}${where[1] && ` on ${where[1]}`}`.slice(0, MAX_TITLE)
}

type Compiled = {
  readonly applyStack: ApplyStackRules | undefined
  readonly matchFingerprint: MatchFingerprint | undefined
}

// By settings object, which is used for thousands of events; and by text, because the settings of all projects are made
// anew when those of one change.
const bySettings = new WeakMap<GroupingRules, Compiled>()
const byText = new Map<string, Compiled>()
// A thousand rules of a hundred projects; what does not fit is read again at each change.
const MAX_COMPILED_CHARS = 5_000_000
let compiledChars = 0

function compiledOf(settings: GroupingRules): Compiled {
  const known = bySettings.get(settings)
  if (known) return known
  const text = `${settings.stackRules}\0${settings.fingerprintRules}`
  let compiled = byText.get(text)
  if (!compiled) {
    compiled = compile(settings)
    compiledChars += text.length
    if (compiledChars > MAX_COMPILED_CHARS) {
      byText.clear()
      compiledChars = text.length
    }
    byText.set(text, compiled)
  }
  bySettings.set(settings, compiled)
  return compiled
}

function compile({ fingerprintRules, stackRules }: GroupingRules): Compiled {
  const stack = stackRules === '' ? [] : parseStackRules(stackRules).rules
  const fingerprints = fingerprintRules === '' ? [] : parseFingerprintRules(fingerprintRules).rules
  return {
    applyStack: stack.length > 0 ? compileStackRules(stack) : undefined,
    matchFingerprint: fingerprints.length > 0 ? compileFingerprints(fingerprints) : undefined,
  }
}
