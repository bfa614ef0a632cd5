import type { Grant } from '@sonde/access'
import { type QueryDeps, samplingPreview } from '@sonde/queries'
import { MAX_SAMPLING_RULES } from '@sonde/stores'
import type { PostedFields } from '../../../../parts/forms/posted-fields.ts'
import {
  changedRows,
  EMPTY_RULE,
  isEmptyRule,
  RULE_FIELDS,
  type RuleDraft,
  ruleOf,
  type ShownSamplingPreview,
} from './sampling-text.ts'

/** Tries the rules as they stand in the form, saved or not; a rule whose share is no share keeps everything. */
export async function trySampling(
  queries: QueryDeps,
  grant: Grant<'project:read', 'project'>,
  posted: PostedFields,
): Promise<ShownSamplingPreview> {
  const rules = postedSampling(posted).rules.slice(0, MAX_SAMPLING_RULES)
  const whole = rules.map((rule) => ({ ...rule, rate: rule.rate >= 0 && rule.rate <= 1 ? rule.rate : 1 }))
  const { arrived, kept } = await samplingPreview(queries, grant, whole)
  return { arrived, kept }
}

/** The form as it was posted, for the page without scripts. */
export type ShownSampling = {
  readonly rules: readonly RuleDraft[]
  readonly sampleMeasured: boolean
  readonly preview?: ShownSamplingPreview
}

/** What a button of the form did to its rows, or what the rules would do. */
export async function shownSampling(
  queries: QueryDeps,
  grant: Grant<'project:read', 'project'>,
  posted: PostedFields,
): Promise<ShownSampling> {
  const sampleMeasured = posted.has('sampleMeasured')
  const does = posted.text('does')
  if (does !== 'try')
    return { rules: changedRows(postedDrafts(posted), does, () => EMPTY_RULE), sampleMeasured }
  return { rules: postedDrafts(posted), sampleMeasured, preview: await trySampling(queries, grant, posted) }
}

/** Rows in their order; without those that nobody filled in. */
export function postedDrafts(posted: PostedFields): readonly RuleDraft[] {
  const columns = RULE_FIELDS.map((field) => posted.all(field))
  const count = Math.max(...columns.map((column) => column.length))
  return Array.from({ length: count }, (_, at) => draftAt(columns, at)).filter((draft) => !isEmptyRule(draft))
}

function draftAt(columns: readonly (readonly string[])[], at: number): RuleDraft {
  const [route = '', op = '', release = '', environment = '', percent = ''] = columns.map(
    (column) => column[at] ?? '',
  )
  return { route, op, release, environment, percent }
}

export const postedSampling = (posted: PostedFields) => ({
  rules: postedDrafts(posted).map(ruleOf),
  sampleMeasured: posted.has('sampleMeasured'),
})

/** Null: no cap. What is no number is NaN, which the command refuses beside the field. */
export function postedCaps(posted: PostedFields) {
  const period = posted.text('capPeriod') === 'day' ? ('day' as const) : ('month' as const)
  return {
    cap: posted.text('capCount') === '' ? null : { count: numberIn(posted, 'capCount'), period },
    perMinute: posted.text('perMinute') === '' ? null : numberIn(posted, 'perMinute'),
  }
}

/** People group large numbers: `50 000 000`, `50,000,000`, `50_000_000`. */
const numberIn = (posted: PostedFields, name: string): number =>
  Number(posted.text(name).replaceAll(/[\s,_']/g, ''))
