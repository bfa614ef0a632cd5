/**
 * Looks at what is counted over a time: metric rules, and issue rules with a number. Each rule has a watermark, the end of the
 * last window that it was asked about; the next ones are asked in order, and what they lead to is written in the transaction
 * that moves the watermark. So a crash neither loses a window nor tells one twice.
 */
import { type Access, type Grant, operatorViewer } from '@sonde/access'
import type { Clock, Logger } from '@sonde/base'
import type { MetricValue, MetricWindow } from '@sonde/queries'
import { busyIssues, ExploreError, metricValues, SearchError } from '@sonde/queries'
import { type Records, type Telemetry, writeTransaction } from '@sonde/stores'
import { fireIssue, type IssueFact } from '../issues/fire-issue.ts'
import { type IssueRule, type MetricRule, readIssueRule, readMetricRule } from '../rules/rule.ts'
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
const RULES_AT_ONCE = 200

type Row = Awaited<ReturnType<typeof readRows>>[number]

/** The end of the last whole minute of which everything that was received is stored. */
async function settledUntil({ clock, lagMs }: WindowDeps): Promise<number> {
  const nowMs = clock.nowMs()
  const lag = Math.min(await lagMs(), MAX_WAIT_MS)
  return Math.floor((nowMs - SETTLED_AFTER_MS - lag) / MINUTE_MS) * MINUTE_MS
}

/** Cheap: whether a rule may have a window that it was not asked about. */
export async function hasWindows({
  records,
  clock,
}: Pick<WindowDeps, 'records' | 'clock'>): Promise<boolean> {
  const untilMs = Math.floor((clock.nowMs() - SETTLED_AFTER_MS) / MINUTE_MS) * MINUTE_MS
  return (await selectRows(records, untilMs).limit(1).execute()).length > 0
}

/** Returns how many rules it asked; 0: all are up to date. */
export async function evaluateWindows(deps: WindowDeps): Promise<number> {
  const untilMs = await settledUntil(deps)
  const rows = await readRows(deps.records, untilMs)
  const grants = new Map<number, Promise<Grant<'event:read', 'project'>>>()
  for (const own of Map.groupBy(rows, (row) => row.project_id).values())
    for (const row of own) if (!grants.has(row.project_id)) grants.set(row.project_id, grantOf(deps, row))
  const asked = await Promise.all(rows.map((row) => askRule(deps, row, untilMs, grants)))
  const values = await valuesOf(deps, asked)
  for (const each of asked) await conclude(deps, each, values, untilMs)
  return rows.length
}

const grantOf = ({ access }: WindowDeps, row: Row): Promise<Grant<'event:read', 'project'>> =>
  access.openProject(operatorViewer, String(row.org_id), String(row.project_id), 'event:read')

const selectRows = (records: Records, untilMs: number) =>
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
    .where('alert_rule_state.evaluated_ms', '<', untilMs)
    .orderBy('alert_rule_state.evaluated_ms')
    .orderBy('alert_rule.id')

const readRows = (records: Records, untilMs: number) =>
  selectRows(records, untilMs).limit(RULES_AT_ONCE).execute()

type Asked = {
  readonly row: Row
  readonly trouble: string
  readonly steps: readonly number[]
  readonly metric?: { readonly rule: MetricRule; readonly windows: readonly (readonly MetricWindow[])[] }
  readonly issues?: { readonly rule: IssueRule; readonly facts: readonly IssueFact[] }
}

/** What to ask telemetry about: of a metric the windows, of issues the answers themselves, which are lists. */
async function askRule(
  deps: WindowDeps,
  row: Row,
  untilMs: number,
  grants: ReadonlyMap<number, Promise<Grant<'event:read', 'project'>>>,
): Promise<Asked> {
  const nowMs = deps.clock.nowMs()
  if (row.muted_until_ms !== null && row.muted_until_ms > nowMs) return { row, trouble: '', steps: [] }
  try {
    const grant = await grants.get(row.project_id)
    if (!grant) throw new Error('no grant of the project')
    if (row.kind === 'metric') {
      const rule = readMetricRule(row.value)
      const steps = stepsOf(row, untilMs, rule.schedule)
      return {
        row,
        trouble: '',
        steps,
        metric: { rule, windows: steps.map((toMs) => windowsOf(grant, rule, toMs)) },
      }
    }
    const rule = readIssueRule(row.value)
    // Whatever a minute before counted is counted by the last one too, as long as its time reaches that far.
    const steps = stepsOf(row, untilMs, rule.schedule).slice(-1)
    return { row, trouble: '', steps, issues: { rule, facts: await factsOf(deps, grant, rule, steps) } }
  } catch (error) {
    return { row, trouble: troubleOf(deps, row, error), steps: [] }
  }
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
    metric: rule.metric,
    fromMs: toMs - agoMs - lengthMs,
    toMs: toMs - agoMs,
  }))
}

async function factsOf(
  deps: WindowDeps,
  grant: Grant<'event:read', 'project'>,
  { triggers, search }: IssueRule,
  steps: readonly number[],
): Promise<IssueFact[]> {
  const facts: IssueFact[] = []
  for (const toMs of steps)
    for (const trigger of triggers) {
      if (!('count' in trigger)) continue
      const { type: count, count: above, minutes } = trigger
      const input = { count, above, search, fromMs: toMs - minutes * MINUTE_MS, toMs }
      const busy = await busyIssues(deps, grant, input)
      facts.push(...busy.map((issue) => ({ ...issue, kind: count, minutes, atMs: toMs })))
    }
  return facts
}

/** Of all rules in few statements; of those among whom one cannot be read, one by one. */
async function valuesOf(
  deps: WindowDeps,
  asked: readonly Asked[],
): Promise<ReadonlyMap<Asked, readonly MetricValue[] | string>> {
  const found = new Map<Asked, readonly MetricValue[] | string>()
  const all = asked.filter(({ metric }) => metric)
  const windowsOfAll = all.flatMap(({ metric }) => metric?.windows.flat() ?? [])
  try {
    const values = await metricValues(deps, windowsOfAll)
    let at = 0
    for (const each of all) {
      const count = each.metric?.windows.flat().length ?? 0
      found.set(each, values.slice(at, at + count))
      at += count
    }
  } catch (error) {
    if (!isOfRule(error)) throw error
    for (const each of all)
      found.set(
        each,
        await metricValues(deps, each.metric?.windows.flat() ?? []).catch((own: unknown) =>
          troubleOf(deps, each.row, own),
        ),
      )
  }
  return found
}

const isOfRule = (error: unknown): boolean => error instanceof SearchError || error instanceof ExploreError

/** For people; what is not the rule's own fault is thrown on, and the job tries again. */
function troubleOf({ logger }: WindowDeps, { id }: Row, error: unknown): string {
  if (!isOfRule(error)) throw error
  const { message } = error as Error
  logger.warn({ rule: id, err: error }, 'an alert rule could not be evaluated')
  return message
}

async function conclude(
  deps: WindowDeps,
  asked: Asked,
  values: ReadonlyMap<Asked, readonly MetricValue[] | string>,
  untilMs: number,
): Promise<void> {
  const { row, steps, metric, issues } = asked
  const own = values.get(asked)
  const trouble = typeof own === 'string' ? own : asked.trouble
  const metricSteps = metric && typeof own !== 'string' ? stepsWithValues(metric, steps, own ?? []) : []
  const nowMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('alert_rule_state')
      .set({ evaluated_ms: untilMs, trouble })
      .where('rule_id', '=', row.id)
      .where('evaluated_ms', '=', row.evaluated_ms)
      .executeTakeFirstOrThrow()
    // Another process was faster, or somebody changed the rule meanwhile.
    if (Number(numUpdatedRows) === 0) return
    if (metric) for (const step of metricSteps) await fireMetric(tx, deps, row, metric.rule, step, nowMs)
    if (issues) await fireIssue(tx, deps, row, issues.rule, issues.facts, nowMs)
  })
}

function stepsWithValues(
  { windows }: NonNullable<Asked['metric']>,
  steps: readonly number[],
  values: readonly MetricValue[],
): readonly MetricStep[] {
  let at = 0
  return steps.map((toMs, index) => {
    const [now = { value: null, count: 0 }, ...past] = values.slice(at, at + (windows[index]?.length ?? 0))
    at += windows[index]?.length ?? 0
    return { toMs, now, past }
  })
}
