/** What the forms of sampling and caps post. */
import type { PostedFields } from '../../../../parts/forms/posted-fields.ts'
import { isEmptyRule, RULE_FIELDS, type RuleDraft, ruleOf } from './sampling-text.ts'

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
