/** What a project was sent, by what it is: kept, thinned, dropped, with the reasons, and the newest events of each class of noise. */
import type { Grant } from '@sonde/access'
import type { Outcome } from '@sonde/protocol'
import { NOISE_CLASSES, NOISE_RULES, type NoiseClass, type NoiseRule } from '@sonde/protocol/noise'
import { EVENT_COUNT, EVENT_USERS } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

const EXAMPLES = 3
const MAX_REASONS = 200
/** What stands in outcomes for one event of an issue, whatever it is. */
const EVENT_CATEGORIES = ['error', 'default', 'security'] as const
/** Sentry's inbound filters drop what is of a class too. */
const FILTER_CLASSES: Readonly<Record<string, NoiseClass>> = {
  browser_extension: 'extension',
  crawler: 'bot',
}

export type NoiseLedger = {
  /** Events of issues, by what became of them. */
  readonly totals: NoiseNumbers & {
    /** Refused at the door, unreadable, or failed. */
    readonly refused: number
    /** What SDKs say that they never sent. */
    readonly discarded: number
  }
  /** All classes, those with the most events first; what is no noise is none of them. */
  readonly classes: readonly NoiseClassFigures[]
  /** Why events were not stored, the most frequent first. */
  readonly reasons: readonly NotStored[]
}
export type NoiseNumbers = {
  /** Stored in full. */
  readonly kept: number
  /** Counted with those. */
  readonly thinned: number
  readonly dropped: number
}
export type NoiseClassFigures = NoiseNumbers & {
  readonly name: NoiseClass
  readonly issues: number
  readonly users: number
  readonly rules: readonly { readonly rule: NoiseRule; readonly events: number }[]
  readonly examples: readonly NoiseExample[]
}
export type NoiseExample = {
  readonly eventId: string
  readonly issueId: number
  readonly title: string
  readonly rule: string
  readonly match: string
  readonly timestampMs: number
}
export type NotStored = {
  readonly outcome: Exclude<Outcome, 'accepted'>
  readonly reason: string
  readonly category: string
  readonly quantity: number
}

type Counted = Omit<NotStored, 'outcome'> & { readonly outcome: Outcome }

/** Of what was received within a time. Reads `outcomes` by minute and a few narrow columns of the time's events. */
export async function noiseLedger(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<NoiseLedger> {
  const params = { project: grant.projectId, from: fromMs, to: toMs }
  const [outcomes, figures, rules, examples] = await Promise.all([
    telemetry.query<Counted>(
      `SELECT outcome, reason, category, sum(quantity) AS quantity FROM outcomes
       WHERE project_id = {project:UInt32} AND minute >= toStartOfMinute({from:DateTime64(3, 'UTC')})
         AND minute < {to:DateTime64(3, 'UTC')}
         AND (category IN (${EVENT_CATEGORIES.map((name) => `'${name}'`).join(', ')}) OR outcome = 'client_discard')
       GROUP BY outcome, reason, category ORDER BY quantity DESC, outcome, reason, category LIMIT ${MAX_REASONS}`,
      params,
    ),
    telemetry.query<Omit<NoiseClassFigures, 'rules' | 'examples' | 'dropped'>>(
      `SELECT noise_class AS name, count() AS kept, sum(left_out) AS thinned, uniq(issue_id) AS issues,
         ${EVENT_USERS} AS users
       FROM events WHERE ${WITHIN} AND noise_class != '' GROUP BY name`,
      params,
    ),
    telemetry.query<{ readonly name: string; readonly rule: string; readonly events: number }>(
      `SELECT noise_class AS name, tags['noise.rule'] AS rule, ${EVENT_COUNT} AS events
       FROM events WHERE ${WITHIN} AND noise_class != '' GROUP BY name, rule ORDER BY events DESC, rule`,
      params,
    ),
    telemetry.query<NoiseExample & { readonly name: string }>(
      `SELECT noise_class AS name, toString(event_id) AS eventId, issue_id AS issueId, title,
         tags['noise.rule'] AS rule, tags['noise.match'] AS match, toUnixTimestamp64Milli(timestamp) AS timestampMs
       FROM events WHERE ${WITHIN} AND noise_class != ''
       ORDER BY received DESC, event_id LIMIT ${EXAMPLES} BY name`,
      params,
    ),
  ])
  const ofEvents = outcomes.filter(({ category }) => EVENTS.has(category))
  const sum = (is: (row: (typeof outcomes)[number]) => boolean): number =>
    ofEvents.reduce((total, row) => total + (is(row) ? row.quantity : 0), 0)
  const droppedAs = (name: NoiseClass): number =>
    sum(
      ({ outcome, reason }) =>
        outcome === 'filtered' && (reason === `noise:${name}` || FILTER_CLASSES[reason] === name),
    )
  const isThinned = (reason: string): boolean => reason === 'thinned' || reason === 'spike'
  const classes = NOISE_CLASSES.map((name): NoiseClassFigures => {
    const found = figures.find((each) => each.name === name)
    return {
      name,
      kept: found?.kept ?? 0,
      thinned: found?.thinned ?? 0,
      dropped: droppedAs(name),
      issues: found?.issues ?? 0,
      users: found?.users ?? 0,
      rules: rules.flatMap(({ name: of, rule, events }) =>
        of === name && isRule(rule) ? [{ rule, events }] : [],
      ),
      examples: examples.flatMap(({ name: of, ...example }) => (of === name ? [example] : [])),
    }
  })
  return {
    totals: {
      kept: sum(({ outcome }) => outcome === 'accepted'),
      thinned: sum(({ outcome, reason }) => outcome === 'filtered' && isThinned(reason)),
      dropped: sum(({ outcome, reason }) => outcome === 'filtered' && !isThinned(reason)),
      refused: sum(({ outcome }) => REFUSED.has(outcome)),
      discarded: sum(({ outcome }) => outcome === 'client_discard'),
    },
    classes: classes.toSorted((a, b) => eventsOf(b) - eventsOf(a)),
    reasons: outcomes.filter(isNotStored),
  }
}

const WITHIN = `project_id = {project:UInt32} AND received >= {from:DateTime64(3, 'UTC')}
  AND received < {to:DateTime64(3, 'UTC')}`
const EVENTS: ReadonlySet<string> = new Set(EVENT_CATEGORIES)
const REFUSED: ReadonlySet<Outcome> = new Set(['rate_limited', 'invalid', 'failed', 'unsupported'])
const isNotStored = (row: Counted): row is NotStored => row.outcome !== 'accepted'
const isRule = (rule: string): rule is NoiseRule => Object.hasOwn(NOISE_RULES, rule)
const eventsOf = ({ kept, thinned, dropped }: NoiseNumbers): number => kept + thinned + dropped
