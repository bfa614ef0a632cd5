/**
 * Looks at what is counted over a time: metric rules, and issue rules with a number. Each rule has a watermark, the end of the
 * last window that it was asked about; the next ones are asked in order, of many rules at once, and what they lead to is
 * written in the transaction that moves the watermarks. So a crash neither loses a window nor tells one twice.
 */
import { type Access, type Grant, operatorViewer } from '@sonde/access'
import type { Clock, Logger } from '@sonde/base'
import {
  type BusyIssue,
  type BusyIssuesAsked,
  busyIssuesOf,
  isMetricFault,
  metricAnswers,
  type MetricFault,
  type MetricValue,
  type MetricWindow,
} from '@sonde/queries'
import { type Records, type Telemetry, writeTransaction } from '@sonde/stores'
import { fireIssue, type IssueFact } from '../issues/fire-issue.ts'
import {
  type IssueRule,
  metricOf,
  type MetricRule,
  readIssueRule,
  readMetricRule,
  searchOf,
} from '../rules/rule.ts'
import { isWithin } from '../rules/within-schedule.ts'
import { fireMetric, type MetricStep } from './fire-metric.ts'
import { pastOf } from './judge.ts'

export type WindowDeps = {
  readonly records: Records
  readonly telemetry: Telemetry
  readonly access: Pick<Access, 'openProject'>
  readonly clock: Clock
  readonly logger: Logger
  readonly publicUrl: string
  readonly mailer: unknown
  /** Age of the oldest event that was received and is not stored yet. */
  readonly lagMs: () => Promise<number>
}

const MINUTE_MS = 60_000
/** What was received within a minute is stored some seconds after it. */
const SETTLED_AFTER_MS = 5_000
/** After a standstill: windows before these are left out, and said so. */
const MAX_STEPS = 60
/** With a lag that does not end, alerts about the present are worth more than whole counts. */
const MAX_WAIT_MS = 10 * MINUTE_MS
const RULES_AT_ONCE = 2_000
/** Of all of them, when many are behind. */
const STEPS_AT_ONCE = 4_000

type Row = Awaited<ReturnType<typeof readRows>>[number]

/** The end of the last whole minute of which everything that was received is stored. */
async function settledUntil({ clock, lagMs }: WindowDeps): Promise<number> {
  const nowMs = clock.nowMs()
  const lag = Math.min(await lagMs(), MAX_WAIT_MS)
  return Math.floor((nowMs - SETTLED_AFTER_MS - lag) / MINUTE_MS) * MINUTE_MS
}

/** As `Job.dueMs`. Cheap: when a rule may have a window that it was not asked about. */
export async function nextWindowMs({ records }: Pick<WindowDeps, 'records'>): Promise<number | undefined> {
  const row = await records
    .selectFrom('alert_rule_state')
    .innerJoin('alert_rule', 'alert_rule.id', 'alert_rule_state.rule_id')
    .select((eb) => eb.fn.min('alert_rule_state.evaluated_ms').as('at'))
    .where('alert_rule.is_enabled', '=', 1)
    .where('alert_rule.kind', '!=', 'release')
    .executeTakeFirst()
  if (typeof row?.at !== 'number') return undefined
  return (Math.floor(row.at / MINUTE_MS) + 1) * MINUTE_MS + SETTLED_AFTER_MS
}

/** Returns how many rules it asked; 0: all are up to date. */
export async function evaluateWindows(deps: WindowDeps): Promise<number> {
  const untilMs = await settledUntil(deps)
  const rows = withinSteps(await readRows(deps.records, untilMs), untilMs)
  const grants = new Map<number, Grant<'event:read', 'project'>>()
  for (const row of rows)
    if (!grants.has(row.project_id)) grants.set(row.project_id, await grantOf(deps, row))
  const asked = rows.map((row) => askRule(deps, row, untilMs, grants.get(row.project_id)))
  const [metrics, issues] = [await metricsOf(deps, asked), await issuesOf(deps, asked)]
  await conclude(deps, asked, metrics, issues, untilMs)
  return rows.length
}

const grantOf = ({ access }: WindowDeps, row: Row): Promise<Grant<'event:read', 'project'>> =>
  access.openProject(operatorViewer, String(row.org_id), String(row.project_id), 'event:read')

const readRows = (records: Records, untilMs: number) =>
  records
    .selectFrom('alert_rule')
    .innerJoin('alert_rule_state', 'alert_rule_state.rule_id', 'alert_rule.id')
    .innerJoin('project', 'project.id', 'alert_rule.project_id')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .select([
      'alert_rule.id',
      'alert_rule.name',
      'alert_rule.kind',
      'alert_rule.value',
      'alert_rule.muted_until_ms',
    ])
    .select([
      'alert_rule.project_id',
      'project.slug as project_slug',
      'project.org_id',
      'organization.slug as org_slug',
    ])
    .select(['alert_rule_state.evaluated_ms', 'alert_rule_state.trouble'])
    .where('alert_rule.is_enabled', '=', 1)
    .where('alert_rule.kind', '!=', 'release')
    .where('alert_rule_state.evaluated_ms', '<', untilMs)
    .orderBy('alert_rule_state.evaluated_ms')
    .orderBy('alert_rule.id')
    .limit(RULES_AT_ONCE)
    .execute()

/** The longest behind first, and at least one. */
function withinSteps(rows: readonly Row[], untilMs: number): readonly Row[] {
  let steps = 0
  return rows.filter(({ evaluated_ms }, at) => {
    steps += Math.min(MAX_STEPS, Math.round((untilMs - evaluated_ms) / MINUTE_MS))
    return at === 0 || steps <= STEPS_AT_ONCE
  })
}

/** A rule with what telemetry is asked about it. */
type Asked = {
  readonly row: Row
  readonly trouble: string
  readonly metric?: {
    readonly rule: MetricRule
    readonly steps: readonly { readonly toMs: number; readonly windows: readonly MetricWindow[] }[]
  }
  readonly issues?: { readonly rule: IssueRule; readonly counts: readonly CountAsked[] }
}
type CountAsked = Pick<IssueFact, 'kind' | 'minutes' | 'atMs'> & { readonly asked: BusyIssuesAsked }

/** One that cannot be read does not keep the others from firing. */
function askRule(
  deps: WindowDeps,
  row: Row,
  untilMs: number,
  grant: Grant<'event:read', 'project'> | undefined,
): Asked {
  try {
    return questionsOf(deps, row, untilMs, grant)
  } catch (error) {
    deps.logger.error({ err: error, rule: row.id }, 'an alert rule cannot be read, so it does not fire')
    return { row, trouble: 'The rule cannot be read. Save it again.' }
  }
}

function questionsOf(
  deps: WindowDeps,
  row: Row,
  untilMs: number,
  grant: Grant<'event:read', 'project'> | undefined,
): Asked {
  const asked = { row, trouble: '' }
  if (grant === undefined) throw new Error('no grant of the project')
  if (row.muted_until_ms !== null && row.muted_until_ms > deps.clock.nowMs()) return asked
  if (row.kind === 'metric') {
    const rule = readMetricRule(row.value)
    const steps = stepsOf(row, untilMs, rule.schedule)
    return {
      ...asked,
      metric: { rule, steps: steps.map((toMs) => ({ toMs, windows: windowsOf(grant, rule, toMs) })) },
    }
  }
  const rule = readIssueRule(row.value)
  // Whatever a minute before counted is counted by the last one too, as long as its time reaches that far.
  const steps = stepsOf(row, untilMs, rule.schedule).slice(-1)
  return { ...asked, issues: { rule, counts: countsOf(grant, rule, steps) } }
}

function stepsOf(
  { evaluated_ms }: Row,
  untilMs: number,
  schedule: MetricRule['schedule'],
): readonly number[] {
  const fromMs = Math.max(evaluated_ms, untilMs - MAX_STEPS * MINUTE_MS)
  const count = Math.round((untilMs - fromMs) / MINUTE_MS)
  return Array.from({ length: count }, (_, at) => untilMs - (count - 1 - at) * MINUTE_MS).filter((toMs) =>
    isWithin(schedule, toMs),
  )
}

/** The window that ends then, and those of the past with which it is compared. */
function windowsOf(
  grant: Grant<'event:read', 'project'>,
  rule: MetricRule,
  toMs: number,
): readonly MetricWindow[] {
  const lengthMs = rule.windowMinutes * MINUTE_MS
  return [0, ...pastOf(rule)].map((agoMs) => ({
    grant,
    metric: metricOf(rule),
    fromMs: toMs - agoMs - lengthMs,
    toMs: toMs - agoMs,
  }))
}

function countsOf(
  grant: Grant<'event:read', 'project'>,
  rule: IssueRule,
  steps: readonly number[],
): readonly CountAsked[] {
  const search = searchOf(rule)
  return steps.flatMap((toMs) =>
    rule.triggers.flatMap((trigger) => {
      if (!('count' in trigger)) return []
      const { type: kind, count: above, minutes } = trigger
      const asked = { grant, count: kind, above, search, fromMs: toMs - minutes * MINUTE_MS, toMs }
      return [{ kind, minutes, atMs: toMs, asked }]
    }),
  )
}

type MetricAnswers = ReadonlyMap<MetricWindow, MetricValue | MetricFault>
type CountAnswers = ReadonlyMap<BusyIssuesAsked, readonly BusyIssue[] | MetricFault>

async function metricsOf(deps: WindowDeps, asked: readonly Asked[]): Promise<MetricAnswers> {
  const windows = asked.flatMap(({ metric }) => metric?.steps.flatMap((step) => step.windows) ?? [])
  return answersTo(windows, await metricAnswers(deps, windows))
}

async function issuesOf(deps: WindowDeps, asked: readonly Asked[]): Promise<CountAnswers> {
  const counts = asked.flatMap(({ issues }) => issues?.counts.map((count) => count.asked) ?? [])
  return answersTo(counts, await busyIssuesOf(deps, counts))
}

const answersTo = <Question, Answer>(
  questions: readonly Question[],
  answers: readonly Answer[],
): ReadonlyMap<Question, Answer> =>
  new Map(
    questions.flatMap((question, at) => {
      const answer = answers[at]
      return answer === undefined ? [] : [[question, answer] as const]
    }),
  )

/** Of all of them in one transaction: most have nothing to tell. */
async function conclude(
  deps: WindowDeps,
  asked: readonly Asked[],
  metrics: MetricAnswers,
  issues: CountAnswers,
  untilMs: number,
): Promise<void> {
  const concluded = asked.map((each) => withAnswers(deps, each, metrics, issues))
  const nowMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const moved = await moveWatermarks(tx, concluded, untilMs)
    const open = await openOf(tx, moved)
    for (const { row, metric, issues: counted, steps, facts } of concluded) {
      // Another process was faster, or somebody changed the rule meanwhile.
      if (!moved.has(row.id)) continue
      if (metric) await fireMetric(tx, deps, row, metric.rule, steps, open.get(row.id), nowMs)
      else if (counted && (facts.length > 0 || open.has(row.id)))
        await fireIssue(tx, deps, row, counted.rule, facts, nowMs)
    }
  })
}

type Concluded = Asked & { readonly steps: readonly MetricStep[]; readonly facts: readonly IssueFact[] }

/** With a fault nothing fires and nothing ends, and the rule says so. */
function withAnswers(
  { logger }: WindowDeps,
  asked: Asked,
  metrics: MetricAnswers,
  issues: CountAnswers,
): Concluded {
  try {
    return { ...asked, steps: stepsWithValues(asked, metrics), facts: factsOf(asked, issues) }
  } catch (error) {
    if (!isMetricFault(error)) throw error
    logger.warn({ rule: asked.row.id, err: error }, 'an alert rule could not be evaluated')
    return { row: asked.row, trouble: error.message, steps: [], facts: [] }
  }
}

const stepsWithValues = ({ metric }: Asked, answers: MetricAnswers): readonly MetricStep[] =>
  (metric?.steps ?? []).map(({ toMs, windows }) => {
    const [now = { value: null, count: 0 }, ...past] = windows.map((window) => known(answers.get(window)))
    return { toMs, now, past }
  })

const factsOf = ({ issues }: Asked, answers: CountAnswers): readonly IssueFact[] =>
  (issues?.counts ?? []).flatMap(({ asked, ...count }) =>
    known(answers.get(asked)).map((issue) => ({ ...issue, ...count })),
  )

function known<Answer>(answer: Answer | MetricFault | undefined): Answer {
  if (answer === undefined) throw new Error('telemetry was not asked')
  if (isMetricFault(answer)) throw answer
  return answer
}

/** Returns the rules whose watermark was still where it was read. */
async function moveWatermarks(
  tx: Records,
  concluded: readonly Concluded[],
  untilMs: number,
): Promise<ReadonlySet<number>> {
  const moved = new Set<number>()
  const alike = Map.groupBy(concluded, ({ row, trouble }) => `${row.evaluated_ms} ${trouble}`)
  for (const each of alike.values()) {
    const [first] = each
    if (!first) continue
    const rows = await tx
      .updateTable('alert_rule_state')
      .set({ evaluated_ms: untilMs, trouble: first.trouble })
      .where(
        'rule_id',
        'in',
        each.map(({ row }) => row.id),
      )
      .where('evaluated_ms', '=', first.row.evaluated_ms)
      .returning('rule_id')
      .execute()
    for (const { rule_id } of rows) moved.add(rule_id)
  }
  return moved
}

/** Rule → one of its open incidents: a metric rule has no other. */
async function openOf(tx: Records, rules: ReadonlySet<number>): Promise<ReadonlyMap<number, number>> {
  if (rules.size === 0) return new Map()
  const rows = await tx
    .selectFrom('incident')
    .select(['id', 'rule_id'])
    .where('rule_id', 'in', [...rules])
    .where('resolved_ms', 'is', null)
    .execute()
  return new Map(rows.flatMap(({ id, rule_id }) => (rule_id === null ? [] : [[rule_id, id]])))
}
