import type { Grant } from '@sonde/access'
import { type QueryDeps, samplingPreview } from '@sonde/queries'
import { MAX_SAMPLING_RULES } from '@sonde/stores'
import type { PostedFields } from '../../../../parts/forms/posted-fields.ts'
import { postedDrafts, postedSampling } from './posted-sampling.ts'
import { changedRows, EMPTY_RULE, type RuleDraft, type ShownSamplingPreview } from './sampling-text.ts'

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
