/**
 * Which traces of a project are stored. Rules look at the root of a trace's part (route, op, release, environment); the
 * first that matches decides, and what none matches is kept. docs/operate/sampling-and-cost.md
 */

/** Patterns as of the inbound filters: `*` any text, `?` one character, either case; empty matches everything. */
export type SamplingRule = {
  /** Name of the root: the route template where it is known. */
  readonly route: string
  readonly op: string
  readonly release: string
  readonly environment: string
  /** Share of traces that is kept: 0 drops all, 1 keeps all. */
  readonly rate: number
}

export type SamplingRules = {
  readonly rules: readonly SamplingRule[]
  /** Web vitals, navigations and prefetches follow the rules too. Off: all are kept, they are few. */
  readonly sampleMeasured: boolean
}

/** On a span that a rule kept: the part of its `sample_rate` that is ours. So what arrived can be told from what happened. */
export const SERVER_RATE_ATTRIBUTE = 'sonde.server_sample_rate'
/** Below this one row stands for more than 10,000, and whatever it shows is an accident. */
export const MIN_SAMPLING_RATE = 0.0001
/** Every root is held against each of them. */
export const MAX_SAMPLING_RULES = 50

/** Outcomes are counted by it, so it must not grow without bound. */
const MAX_NAME_CHARS = 200

/** What a rule is called in outcomes: its patterns. Rules keep their name when they move. */
export function samplingRuleName({ route, op, release, environment }: SamplingRule): string {
  const parts = [
    route,
    op && `op:${op}`,
    release && `release:${release}`,
    environment && `env:${environment}`,
  ]
  return (
    parts
      .filter((part) => part !== '')
      .join(' ')
      .slice(0, MAX_NAME_CHARS) || 'everything'
  )
}

/** From JSON. Never throws: rules that make no sense are left out, since keeping too much harms less than losing it. */
export function samplingRulesFrom(stored: unknown): SamplingRules {
  const { rules, sampleMeasured } = fieldsOf(stored)
  return {
    rules: (Array.isArray(rules) ? rules : []).flatMap((each) => ruleFrom(each) ?? []),
    sampleMeasured: sampleMeasured === true,
  }
}

function ruleFrom(stored: unknown): SamplingRule | undefined {
  const fields = fieldsOf(stored)
  const { rate } = fields
  if (typeof rate !== 'number' || !(rate >= 0 && rate <= 1)) return undefined
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '')
  const [route, op, release] = [text('route'), text('op'), text('release')]
  return { route, op, release, environment: text('environment'), rate }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
