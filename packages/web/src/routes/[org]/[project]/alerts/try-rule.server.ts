/** What the form of a rule does: tries it, or stores it. */
import { type Grant, requireAlso } from '@sonde/access'
import {
  type IssuePreview,
  type MetricPreview,
  type MetricRule,
  previewIssues,
  previewMetric,
  previewReleases,
  type ReleasePreview,
  RULES,
} from '@sonde/alerts'
import { createAlertRule, type FieldErrors, InvalidInput, updateAlertRule } from '@sonde/commands'
import { ExploreError, incidents, type QueryDeps, SearchError } from '@sonde/queries'
import { type ActionArgs, invalid, redirect } from '@sonde/router/server'
import { orEndPage } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { postedDraft, type RuleDraft, ruleOf } from './rule-draft.ts'

/** An incident that the rule had. */
export type PastIncident = {
  readonly id: number
  readonly atMs: number
  readonly endMs: number | null
  /** Of a rule about issues. */
  readonly issue: string | null
}

/** What a rule would have told, as it travels to the page, and what it did tell in the same time. */
export type ShownTry = Tried & { readonly past?: readonly PastIncident[] }

type Tried =
  | { readonly ok: true; readonly kind: 'issue'; readonly preview: IssuePreview }
  | {
      readonly ok: true
      readonly kind: 'metric'
      readonly preview: MetricPreview
      readonly rule: Pick<MetricRule, 'metric' | 'compare' | 'trigger' | 'resolve'>
    }
  | { readonly ok: true; readonly kind: 'release'; readonly preview: ReleasePreview }
  | { readonly ok: false; readonly message: string }

/** Also of a form that is not finished: whom it tells does not matter. */
export async function tryRule(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  draft: RuleDraft,
): Promise<Tried> {
  const { kind, rule } = ruleOf({
    ...draft,
    members: true,
    channelIds: [],
    trackerIds: [],
    userIds: [],
    teamIds: [],
  })
  try {
    if (kind === 'issue') {
      const read = RULES.issue.safeParse(rule)
      if (!read.success) return { ok: false, message: messageOf(read.error.issues) }
      return { ok: true, kind, preview: await previewIssues(queries, grant, read.data) }
    }
    if (kind === 'release') {
      const read = RULES.release.safeParse(rule)
      if (!read.success) return { ok: false, message: messageOf(read.error.issues) }
      return { ok: true, kind, preview: await previewReleases(queries, grant, read.data) }
    }
    const read = RULES.metric.safeParse(rule)
    if (!read.success) return { ok: false, message: messageOf(read.error.issues) }
    const { metric, compare, trigger, resolve } = read.data
    const preview = await previewMetric(queries, grant, read.data)
    return { ok: true, kind, preview, rule: { metric, compare, trigger, resolve } }
  } catch (error) {
    if (!(error instanceof SearchError || error instanceof ExploreError)) throw error
    return { ok: false, message: [error.message, error.hint].filter(Boolean).join('. ') }
  }
}

const SHOWN_INCIDENTS = 50

/** Of a rule that is there: its newest incidents beside what it would tell now. */
export async function tryWithPast(
  queries: QueryDeps,
  grant: Grant<'alert:read' | 'event:read', 'project'>,
  draft: RuleDraft,
  ruleId: number,
): Promise<ShownTry> {
  const tried = await tryRule(queries, requireAlso(grant, 'event:read'), draft)
  if (!tried.ok) return tried
  const { fromMs, toMs } = tried.preview
  const alertGrant = requireAlso(grant, 'alert:read')
  const { rows } = await incidents(queries, alertGrant, { ruleId, page: 1, limit: SHOWN_INCIDENTS })
  const past = rows.flatMap(({ id, startedMs, resolvedMs = null, issue }) =>
    startedMs < fromMs || startedMs >= toMs
      ? []
      : [{ id, atMs: startedMs, endMs: resolvedMs, issue: issue?.shortId ?? null }],
  )
  return { ...tried, past }
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  triggers: 'What it fires on',
  trigger: 'The threshold',
  resolve: 'The threshold that resolves it',
  coolDownMinutes: 'The cool-down',
  minSample: 'The minimum sample',
  schedule: 'The schedule',
  afterMinutes: 'The time after which it is judged',
  tells: 'What is told',
}

function messageOf(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  const [issue] = issues
  const field = String(issue?.path[0] ?? '')
  return `${FIELD_NAMES[field] ?? field} ${issue?.message ?? ''}`
}

export type RefusedRule = {
  readonly form: 'rule'
  readonly fields: FieldErrors
  readonly draft: RuleDraft
  /** Without scripts: it was only tried. */
  readonly tried?: ShownTry
}

/** 303 to the list, or 422 with the form as it was posted. `ruleId`: of one that is there, with its `kind`. */
export async function saveRule(
  args: ActionArgs<AppContext, 'org' | 'project'>,
  grant: Grant<'alert:write', 'project'>,
  there?: { readonly ruleId: number; readonly kind: RuleDraft['kind'] },
) {
  const { commands, queries } = args.context
  const posted = fieldsOf(await args.formData())
  const draft = postedDraft(posted, there?.kind)
  const does = posted.text('does')
  if (does === 'try') {
    const tried = there
      ? await tryWithPast(queries, grant, draft, there.ruleId)
      : await tryRule(queries, requireAlso(grant, 'event:read'), draft)
    return invalid({ form: 'rule', fields: {}, draft, tried } satisfies RefusedRule)
  }
  const { name } = draft
  const { kind, rule } = ruleOf(draft)
  try {
    if (there)
      await orEndPage(updateAlertRule(commands, grant, { ruleId: there.ruleId, name, rule: rule as never }))
    else await createAlertRule(commands, grant, { name, kind, rule } as never)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const refused: RefusedRule = { form: 'rule', fields: error.fields, draft }
    return invalid(refused)
  }
  const saved = there ? 'alert-saved' : 'alert-made'
  return redirect(`${paths.alerts(grant.orgSlug, grant.projectSlug)}?saved=${saved}`, 303)
}
