/** Which traces of a project are stored, and how many spans at most. In force for what arrives within about a second. */
import type { Grant } from '@sonde/access'
import { refusedUntilMs, type SamplingRules, type SpanCap } from '@sonde/stores'
import { z } from 'zod'
import type { CommandDeps } from './command-deps.ts'
import { readInput } from './invalid-input.ts'
import { minuteCapField, samplingRulesField, spanCapField } from './sampling-fields.ts'
import { changeColumns, changeSettings } from './update-project-settings.ts'

const SAMPLING = z.object({ rules: samplingRulesField, sampleMeasured: z.boolean() })

/**
 * Replaces all rules, in their order: the first that matches decides. Errors name a rule's field as `rules.0.route`. Throws
 * `InvalidInput`.
 */
export async function updateProjectSampling(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: SamplingRules,
): Promise<SamplingRules> {
  const sampling = readInput('change the sampling rules', SAMPLING, input)
  await changeSettings(deps, grant, 'project.sampling', (settings) => ({
    ...settings,
    sampling,
  }))
  return sampling
}

const CAPS = z.object({ cap: spanCapField, perMinute: minuteCapField })

export type SpanCapsInput = {
  /** Null: no cap. */
  readonly cap: SpanCap | null
  /** Spans that the door takes in a minute. */
  readonly perMinute: number | null
}

/**
 * What the project stored already counts: a cap below it closes the door at once, one above it opens the door again.
 * Otherwise like the rules.
 */
export async function setSpanCaps(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: SpanCapsInput,
): Promise<void> {
  const { cap, perMinute } = readInput('change the caps of spans', CAPS, input)
  const action = 'project.span-caps'
  await changeColumns(
    deps,
    grant,
    action,
    async (tx, projectId, atMs) => ({
      span_cap_count: cap?.count ?? null,
      span_cap_period: cap?.period ?? null,
      span_minute_cap: perMinute,
      spans_refused_until_ms: cap === null ? null : await refusedUntilMs(tx, projectId, cap, atMs),
    }),
    { cap, perMinute },
  )
}
