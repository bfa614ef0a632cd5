import type { Grant } from '@sonde/access'
import {
  type CommandDeps,
  linesOf,
  MAX_SAMPLE_CHARS,
  type PreviewScrub,
  setAllowedDomains,
  setProjectRateLimit,
  setSpanCaps,
  setSpikeProtection,
  updateProjectFilters,
  updateProjectSampling,
  updateProjectScrubbing,
} from '@sonde/commands'
import type { PostedFields } from '../../../../parts/forms/posted-fields.ts'
import { postedLimit } from './limit-text.ts'
import { postedCaps, postedSampling } from './try-sampling.server.ts'

/** The forms of rules, each named like what is said when it was saved. */
export const RULE_FORMS = [
  'filters',
  'scrubbing',
  'sampling',
  'rate-limit',
  'spikes',
  'span-caps',
  'domains',
] as const
type RuleForm = (typeof RULE_FORMS)[number]

/** Throws `InvalidInput`, which names the fields of the form. */
export async function changeRules(
  commands: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  form: RuleForm,
  posted: PostedFields,
): Promise<void> {
  if (form === 'scrubbing') {
    await updateProjectScrubbing(commands, grant, scrubRulesOf(posted))
    return
  }
  if (form === 'rate-limit') {
    await setProjectRateLimit(commands, grant, { rateLimit: postedLimit(posted) })
    return
  }
  if (form === 'spikes') {
    await setSpikeProtection(commands, grant, { isOn: posted.has('isOn') })
    return
  }
  if (form === 'sampling') {
    await updateProjectSampling(commands, grant, postedSampling(posted))
    return
  }
  if (form === 'span-caps') {
    await setSpanCaps(commands, grant, postedCaps(posted))
    return
  }
  if (form === 'domains') {
    const allowedDomains = linesOf(posted.text('allowedDomains'))
    await setAllowedDomains(commands, grant, { allowedDomains })
    return
  }
  await updateProjectFilters(commands, grant, {
    browserExtensions: posted.has('browserExtensions'),
    localhost: posted.has('localhost'),
    crawlers: posted.has('crawlers'),
    releases: linesOf(posted.text('releases')),
    messages: linesOf(posted.text('messages')),
  })
}

/** Tries the rules as they stand in the form, saved or not. */
export function tryRules(previewScrub: PreviewScrub, posted: PostedFields): ShownPreview {
  const sample = posted.text('sample')
  if (sample === '') return { ok: false, message: 'Paste the JSON of an event.' }
  if (sample.length > MAX_SAMPLE_CHARS) {
    return { ok: false, message: `A sample has at most ${MAX_SAMPLE_CHARS} characters.` }
  }
  const preview = previewScrub(scrubRulesOf(posted), sample)
  if (!preview.ok) return preview
  return { ok: true, removed: preview.removed, afterText: JSON.stringify(preview.after, undefined, 2) }
}

const scrubRulesOf = (posted: PostedFields): Parameters<PreviewScrub>[0] => ({
  enabled: posted.has('enabled'),
  scrubIp: posted.has('scrubIp'),
  maskReplayTexts: posted.has('maskReplayTexts'),
  maskReplayInputs: posted.has('maskReplayInputs'),
  sensitiveFields: linesOf(posted.text('sensitiveFields')),
  safeFields: linesOf(posted.text('safeFields')),
})

/** A try of scrubbing rules, as it travels to the page. */
export type ShownPreview =
  | {
      readonly ok: true
      readonly removed: readonly { readonly path: string; readonly rule: string }[]
      /** The JSON that would be stored, in lines. */
      readonly afterText: string
    }
  | { readonly ok: false; readonly message: string }
