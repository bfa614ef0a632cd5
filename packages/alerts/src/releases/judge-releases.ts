/**
 * Judges releases for rules that ask for it: each once, so many minutes after its first event or deploy. What was found is
 * written in the transaction that queues what is told of it, so a crash neither loses a verdict nor tells one twice.
 */
import { type Grant, operatorViewer } from '@sonde/access'
import { errorKind } from '@sonde/base'
import { type JudgedRelease, releaseVerdict, verdictWindow } from '@sonde/queries'
import { writeTransaction } from '@sonde/stores'
import { readReleaseRule, type ReleaseRule } from '../rules/rule.ts'
import { isWithin } from '../rules/within-schedule.ts'
import type { WindowDeps } from '../windows/evaluate-windows.ts'
import { type BegunRelease, begunReleases, readReleaseRules, type ReleaseRuleRow } from './begun-releases.ts'
import { tellRelease } from './tell-release.ts'

const MINUTE_MS = 60_000
/** What was received within a minute is stored some seconds after it. */
const SETTLED_AFTER_MS = 5_000
/** With a lag that does not end, a verdict of what is there is worth more than none. */
const MAX_WAIT_MS = 10 * MINUTE_MS
/** Of a rule that tells early: each look more would make more releases worse by chance. */
const EARLY_LOOKS = 4

/** Cheap, by an index of such rules. */
export async function hasReleaseRules({ records }: Pick<WindowDeps, 'records'>): Promise<boolean> {
  const row = await records
    .selectFrom('alert_rule')
    .select('id')
    .where('kind', '=', 'release')
    .where('is_enabled', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns how many verdicts it told. */
export async function judgeReleases(deps: WindowDeps, signal: AbortSignal): Promise<number> {
  const lagMs = Math.min(await deps.lagMs(), MAX_WAIT_MS)
  const settledMs = deps.clock.nowMs() - SETTLED_AFTER_MS - lagMs
  let told = 0
  for (const row of await readReleaseRules(deps.records)) {
    if (signal.aborted) break
    told += await judgeFor(deps, row, settledMs)
  }
  return told
}

/** One that cannot be read does not keep the others from telling. */
async function judgeFor(deps: WindowDeps, row: ReleaseRuleRow, settledMs: number): Promise<number> {
  try {
    const rule = readReleaseRule(row.value)
    if (!isWithin(rule.schedule, deps.clock.nowMs())) return 0
    const due = (await begunReleases(deps.records, row, rule)).filter(
      (release) => looksDue(rule, release, settledMs) > release.looks,
    )
    if (due.length === 0) return 0
    const grant = await deps.access.openProject(
      operatorViewer,
      String(row.org_id),
      String(row.project_id),
      'event:read',
    )
    let told = 0
    for (const release of due) told += (await judgeOne(deps, grant, row, rule, release, settledMs)) ? 1 : 0
    return told
  } catch (error) {
    deps.logger.error({ err: error, rule: row.id }, 'a rule about releases could not be evaluated')
    return 0
  }
}

const looksOf = ({ isEarly }: ReleaseRule): number => (isEarly ? EARLY_LOOKS : 1)

function looksDue(rule: ReleaseRule, { beganMs }: BegunRelease, settledMs: number): number {
  const all = looksOf(rule)
  const eachMs = (rule.afterMinutes * MINUTE_MS) / all
  return Math.max(0, Math.min(all, Math.floor((settledMs - beganMs) / eachMs)))
}

/** True: it was told. */
async function judgeOne(
  deps: WindowDeps,
  grant: Grant<'event:read', 'project'>,
  row: ReleaseRuleRow,
  rule: ReleaseRule,
  release: BegunRelease,
  settledMs: number,
): Promise<boolean> {
  const looks = looksDue(rule, release, settledMs)
  const judged = await judgedOrGone(deps, grant, rule, release)
  if (!judged) return false
  const isEnd = looks >= looksOf(rule) || (judged.verdict === 'worse' && judged.before !== undefined)
  const nowMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const isOn = await tx
      .selectFrom('alert_rule')
      .select('id')
      .where('id', '=', row.id)
      .where('is_enabled', '=', 1)
      .executeTakeFirst()
    if (!isOn) return false
    const found = { looks, verdict: isEnd ? judged.verdict : '', judged_ms: isEnd ? nowMs : null }
    const first = await tx
      .insertInto('release_judgement')
      .values({ rule_id: row.id, release_id: release.id, ...found })
      .onConflict((on) =>
        on
          .columns(['rule_id', 'release_id'])
          .doUpdateSet(found)
          .where('release_judgement.judged_ms', 'is', null),
      )
      .returning('rule_id')
      .executeTakeFirst()
    // Another process was faster.
    if (!first || !isEnd) return false
    const isMuted = row.muted_until_ms !== null && row.muted_until_ms > nowMs
    if (isMuted || !rule.tells.includes(judged.verdict)) return false
    await tellRelease(tx, deps, row, rule, { release, judged, nowMs })
    return true
  })
}

/** Undefined: it was deleted meanwhile. */
async function judgedOrGone(
  deps: WindowDeps,
  grant: Grant<'event:read', 'project'>,
  rule: ReleaseRule,
  { version, beganMs }: BegunRelease,
): Promise<JudgedRelease | undefined> {
  try {
    return await releaseVerdict(deps, grant, {
      release: version,
      ...verdictWindow(beganMs, deps.clock.nowMs()),
      environment: rule.environment === '' ? [] : [rule.environment],
    })
  } catch (error) {
    if (errorKind(error) === 'not-found') return undefined
    throw error
  }
}
