/** The incident of a release that was judged, and what is told of it. Within the caller's transaction. */
import type { JudgedRelease, ReleaseVerdict } from '@sonde/queries'
import { absentSentences, measureSentence, verdictSentence } from '@sonde/queries/contract'
import type { Records } from '@sonde/stores'
import { headlineOf, type Message } from '../messages/message.ts'
import { placesOf } from '../outbox/places.ts'
import { queueNotifications } from '../outbox/queue.ts'
import type { ReleaseRule } from '../rules/rule.ts'
import type { BegunRelease, ReleaseRuleRow } from './begun-releases.ts'

type TellDeps = { readonly publicUrl: string; readonly mailer: unknown }

const VERDICTS: Readonly<Record<ReleaseVerdict, string>> = {
  worse: 'worse',
  better: 'better',
  same: 'same',
  not_enough_data: 'not enough data',
}
/** The facts of a message are few: what decided stands first. */
const SHOWN_MEASURES = 4

/** What is worse stays open until somebody resolves it; of everything else there is nothing to do. */
export async function tellRelease(
  tx: Records,
  deps: TellDeps,
  row: ReleaseRuleRow,
  rule: ReleaseRule,
  {
    release,
    judged,
    nowMs,
  }: { readonly release: BegunRelease; readonly judged: JudgedRelease; readonly nowMs: number },
): Promise<void> {
  const isWorse = judged.verdict === 'worse'
  const { id: incidentId } = await tx
    .insertInto('incident')
    .values({
      project_id: row.project_id,
      rule_id: row.id,
      rule_name: row.name,
      issue_id: null,
      dedup_key: `release:${row.id}:${release.id}`,
      cause: JSON.stringify({
        kind: 'release',
        verdict: judged.verdict,
        release: judged.release,
        before: judged.before ?? null,
        sentence: verdictSentence(judged),
        measures: sortedSentences(judged),
        absent: absentSentences(judged.absent),
      }),
      started_ms: release.beganMs,
      fired_ms: nowMs,
      resolved_ms: isWorse ? null : nowMs,
      resolved_by: isWorse ? '' : 'rule',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const owner = { orgId: row.org_id, projectId: row.project_id }
  const told = await placesOf(tx, {
    ...owner,
    kind: 'release',
    actions: rule.actions,
    ownerId: rule.ownerId,
    hasMail: deps.mailer !== undefined,
    nowMs,
  })
  const message = messageOf(deps, row, rule, judged, incidentId, nowMs)
  await queueNotifications(tx, told, { key: `incident:${incidentId}`, message, incidentId, ...owner }, nowMs)
}

const ORDER: readonly ReleaseVerdict[] = ['worse', 'better', 'same', 'not_enough_data']

const sortedSentences = ({ measures }: JudgedRelease): readonly string[] =>
  measures
    .toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))
    .map((measure) => measureSentence(measure))

function messageOf(
  { publicUrl }: TellDeps,
  { id, name, org_slug: org, project_slug: project }: ReleaseRuleRow,
  { afterMinutes, environment }: ReleaseRule,
  judged: JudgedRelease,
  incidentId: number,
  atMs: number,
): Message {
  const { verdict, release, before, measures, absent } = judged
  const facts: readonly (readonly [string, string])[] = [
    ['Verdict', VERDICTS[verdict]],
    ['Release', release],
    ['Compared with', before ?? ''],
    ['Environment', environment],
    ['Judged', `at most ${afterMinutes} min after it began`],
    ...sortedSentences(judged)
      .slice(0, SHOWN_MEASURES)
      .map((text, at) => [`Measure ${at + 1}`, text] as const),
  ]
  return {
    kind: 'release',
    headline: headlineOf('release', `${org}/${project}`),
    title: verdictSentence(judged),
    place: '',
    level: verdict === 'worse' ? 'error' : 'info',
    facts: facts.filter(([, text]) => text !== ''),
    url: `${publicUrl}/${org}/${project}/alerts/incidents/${incidentId}`,
    org,
    project,
    rule: { id, name },
    incidentId,
    verdict: {
      verdict,
      release,
      before: before ?? null,
      measures: measures.map((measure) => ({ ...measure, sentence: measureSentence(measure) })),
      absent,
    },
    atMs,
  }
}
