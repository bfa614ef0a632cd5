/** What a rule about releases would have told of the newest ones. */
import type { Grant } from '@sonde/access'
import { type QueryDeps, type ReleaseVerdict, releaseVerdict, verdictWindow } from '@sonde/queries'
import { verdictSentence } from '@sonde/queries/contract'
import { begunReleases } from '../releases/begun-releases.ts'
import type { ReleaseRule } from '../rules/rule.ts'
import { PREVIEW_MS } from './preview-steps.ts'

export type ReleaseJudged = {
  readonly release: string
  /** When it would have been judged. */
  readonly atMs: number
  readonly verdict: ReleaseVerdict
  readonly sentence: string
  readonly isTold: boolean
}
export type ReleasePreview = {
  readonly fromMs: number
  readonly toMs: number
  /** The newest first. */
  readonly judged: readonly ReleaseJudged[]
  readonly told: number
}

/** Each is a handful of questions: more would keep the form waiting. */
const PREVIEWED = 5

/** Of the last 14 days, at the end of the rule's time; that it might have been told earlier is not looked for. */
export async function previewReleases(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'project'>,
  rule: Pick<ReleaseRule, 'begins' | 'environment' | 'afterMinutes' | 'tells'>,
): Promise<ReleasePreview> {
  const toMs = deps.clock.nowMs()
  const fromMs = toMs - PREVIEW_MS
  const begun = await begunReleases(
    deps.records,
    // No rule has this id: all of them count.
    { id: 0, project_id: grant.projectId, since_ms: fromMs },
    rule,
    'desc',
  )
  const over = begun
    .map((release) => ({ ...release, atMs: release.beganMs + rule.afterMinutes * 60_000 }))
    .filter(({ atMs }) => atMs <= toMs)
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, PREVIEWED)
  const judged = await Promise.all(
    over.map(async ({ version, beganMs, atMs }): Promise<ReleaseJudged> => {
      const found = await releaseVerdict(deps, grant, {
        release: version,
        fromMs: verdictWindow(beganMs, atMs).fromMs,
        toMs: atMs,
        environment: rule.environment === '' ? [] : [rule.environment],
      })
      const { verdict } = found
      return {
        release: version,
        atMs,
        verdict,
        sentence: verdictSentence(found),
        isTold: rule.tells.includes(verdict),
      }
    }),
  )
  return { fromMs, toMs, judged, told: judged.filter(({ isTold }) => isTold).length }
}
