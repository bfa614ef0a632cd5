/**
 * Which spans of an item are stored, by the rules of their project. Pure and the same for every repetition: it depends
 * on the trace id, the root and the rules alone. docs/operate/sampling-and-cost.md
 */
import { hash } from 'node:crypto'
import { createGlob, type Glob } from '@sonde/protocol/glob'
import { NAVIGATION_OP, PREFETCH_OP } from '@sonde/protocol/navigation'
import type { CountedReason } from '@sonde/protocol/outcome'
import { type SamplingRule, samplingRuleName, type SamplingRules } from '@sonde/stores'
import type { SpanWithFacts } from './encode-spans.ts'
import type { SpanForm } from './span.ts'

/** What a rule left out of one item. */
export type SampledOut = {
  readonly reason: CountedReason<'filtered'>
  readonly transactions: 0 | 1
  readonly spans: number
}
export type Sampling = { readonly list: readonly SpanWithFacts[]; readonly sampledOut: readonly SampledOut[] }

const NONE: readonly SampledOut[] = []

export function sampleSpans(
  list: readonly SpanWithFacts[],
  form: SpanForm,
  { rules, sampleMeasured }: SamplingRules,
): Sampling {
  if (rules.length === 0) return { list, sampledOut: NONE }
  const rootOf = rootsOf(list)
  const shareOf = remembered(traceShare, Object.is)
  const ruleOf = remembered((root: Root) => findRule(rules, root), isSameRoot)
  const sampledOut = new Map<string, SampledOut>()
  const sampled = list.map((each): SpanWithFacts => {
    const { span } = each
    if (!sampleMeasured && (form === 'metrics' || isOfLedger(span.op))) return each
    const rule = ruleOf(rootOf(each))
    if (rule === undefined || rule.rate >= 1) return each
    const isKept = shareOf(span.traceId) < rule.rate
    if (!isKept) {
      const before = sampledOut.get(rule.name)
      const isTransaction = form === 'transaction' && span.isSegment
      sampledOut.set(rule.name, {
        reason: `sampled:${rule.name}`,
        transactions: isTransaction ? 1 : (before?.transactions ?? 0),
        spans: (before?.spans ?? 0) + 1,
      })
    }
    return { ...each, sampling: { rate: rule.rate, isKept, withMeasured: sampleMeasured } }
  })
  return { list: sampled, sampledOut: [...sampledOut.values()] }
}

const isOfLedger = (op: string): boolean => op === NAVIGATION_OP || op === PREFETCH_OP

/**
 * The op that counts is the root's, so that a root and its children share their fate. A streamed child whose root came
 * in another item has only its own; routes, releases and environments stand on every span.
 */
function rootsOf(list: readonly SpanWithFacts[]): (each: SpanWithFacts) => Root {
  const opOf = new Map(list.flatMap(({ span }) => (span.isSegment ? [[span.spanId, span.op] as const] : [])))
  return ({ span, facts }) => ({
    route: facts.segmentName || (span.isSegment ? span.name : ''),
    op: opOf.get(span.isSegment ? span.spanId : span.segmentId) ?? span.op,
    release: facts.release,
    environment: facts.environment,
  })
}

const isSameRoot = (a: Root, b: Root): boolean =>
  a.route === b.route && a.op === b.op && a.release === b.release && a.environment === b.environment

/** Most items hold one root of one trace. */
function remembered<Of, Answer>(
  answer: (of: Of) => Answer,
  isSame: (a: Of, b: Of) => boolean,
): (of: Of) => Answer {
  let known: { readonly of: Of; readonly answer: Answer } | undefined
  return (of) => {
    if (known === undefined || !isSame(known.of, of)) known = { of, answer: answer(of) }
    return known.answer
  }
}

/** What rules look at: the root of a trace's part. Empty where unknown. */
type Root = Readonly<Record<(typeof LOOKED_AT)[number], string>>
const LOOKED_AT = ['route', 'op', 'release', 'environment'] as const

type ReadyRule = {
  readonly name: string
  readonly rate: number
  readonly matches: (root: Root) => boolean
}

/** The first that matches; undefined: the root is kept. */
export function findRule(rules: readonly SamplingRule[], root: Root): ReadyRule | undefined {
  return readyRules(rules).find((rule) => rule.matches(root))
}

// Per list: a project's settings are read once and held against thousands of roots.
const readyByList = new WeakMap<readonly SamplingRule[], readonly ReadyRule[]>()

function readyRules(rules: readonly SamplingRule[]): readonly ReadyRule[] {
  const known = readyByList.get(rules)
  if (known) return known
  const ready = rules.map(readyRule)
  readyByList.set(rules, ready)
  return ready
}

function readyRule(rule: SamplingRule): ReadyRule {
  const wanted = LOOKED_AT.flatMap((field): (readonly [keyof Root, Glob])[] =>
    rule[field] === '' ? [] : [[field, createGlob(rule[field], { ignoreCase: true })]],
  )
  return {
    name: samplingRuleName(rule),
    rate: rule.rate,
    matches: (root) => wanted.every(([field, matches]) => matches(root[field])),
  }
}

// Where a trace lies between 0 and 1: it is kept by every rule whose rate is above. So a trace is kept or dropped as a
// whole wherever rates are the same, and what a lower rate keeps, a higher one keeps too.

/** Another prefix draws other traces: it is changed only together with the rules' meaning. */
const LOT = 'sonde-sampling-1:'

/** 48 bits: more than any rate can tell apart, and exact as a number. */
const HEX_DIGITS = 12
const SHARES = 16 ** HEX_DIGITS

/**
 * At least 0, less than 1, evenly spread. Never the id's own bits: OpenTelemetry's ratio sampler decides by those (and
 * some ids begin with the time), so what arrives is not evenly spread in them.
 * https://opentelemetry.io/docs/specs/otel/trace/sdk/#traceidratiobased
 */
export function traceShare(traceId: string): number {
  return Number.parseInt(hash('sha256', LOT + traceId, 'hex').slice(0, HEX_DIGITS), 16) / SHARES
}
