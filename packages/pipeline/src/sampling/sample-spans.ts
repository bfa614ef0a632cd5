/**
 * Which spans of an item are stored, by the rules of their project. Pure and the same for every repetition: it depends
 * on the trace id, the root and the rules alone. docs/operate/sampling-and-cost.md
 */
import { NAVIGATION_OP, PREFETCH_OP } from '@sonde/protocol/navigation'
import type { CountedReason } from '@sonde/protocol/outcome'
import type { SamplingRules } from '@sonde/stores'
import type { SpanWithFacts } from '../spans/encode-spans.ts'
import type { SpanForm } from '../spans/span-input.ts'
import { findRule, type Root } from './find-rule.ts'
import { traceShare } from './trace-share.ts'

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
