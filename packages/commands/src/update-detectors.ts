/** Which performance issues are found in a project, and from what on. In force for new spans within about a second. */
import type { Grant } from '@sonde/access'
import type { PerformanceType } from '@sonde/protocol/issue-category'
import {
  type DetectorRules,
  detectorRulesFrom,
  DETECTORS,
  isPerformanceType,
  type Threshold,
} from '@sonde/protocol/performance-detectors'
import type { CommandDeps } from './command-deps.ts'
import { InvalidInput } from './fields.ts'
import { changeSettings } from './update-project-settings.ts'

/** What is left out stays as it is. */
export type DetectorsInput = Readonly<Record<string, DetectorInput>>
export type DetectorInput = {
  readonly isOn?: boolean | undefined
  readonly thresholds?: Readonly<Record<string, number>> | undefined
}

/** Throws `InvalidInput`; errors are named as `TYPE` and `TYPE.THRESHOLD`. */
export async function updateDetectors(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: DetectorsInput,
): Promise<void> {
  checkDetectors(input)
  await changeSettings(deps, grant, 'project.detectors', (settings) => ({
    ...settings,
    detectors: changedDetectors(settings.detectors, input),
  }))
}

/** What would be in force. `input` was checked. */
export function changedDetectors(rules: DetectorRules, input: DetectorsInput): DetectorRules {
  const changed = Object.entries(input).map(([type, { isOn, thresholds }]) => {
    const before = rules[type as PerformanceType]
    return [
      type,
      { isOn: isOn ?? before?.isOn ?? true, thresholds: { ...before?.thresholds, ...thresholds } },
    ]
  })
  return detectorRulesFrom({ ...rules, ...Object.fromEntries(changed) })
}

export function checkDetectors(input: DetectorsInput): void {
  const errors: Record<string, string[]> = {}
  for (const [type, { thresholds = {} }] of Object.entries(input)) {
    if (!isPerformanceType(type)) {
      errors[type] = ['is no detector']
      continue
    }
    for (const [key, value] of Object.entries(thresholds)) {
      const message = problemOf(
        DETECTORS[type].thresholds.find((each) => each.key === key),
        value,
      )
      if (message !== undefined) errors[`${type}.${key}`] = [message]
    }
  }
  if (Object.keys(errors).length > 0) throw new InvalidInput('change the detectors', errors)
}

function problemOf(threshold: Threshold | undefined, value: number): string | undefined {
  if (!threshold) return 'is no threshold of this detector'
  const { min, max } = threshold
  const isGood = Number.isInteger(value) && value >= min && value <= max
  return isGood ? undefined : `is a whole number from ${min} to ${max}`
}
