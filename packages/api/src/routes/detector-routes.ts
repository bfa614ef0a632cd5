/**
 * What is found in the spans of a project. Sentry has the address, but does not document what is answered there: the words are
 * our own. docs/detectors.md
 */
import type { Grant } from '@sonde/access'
import { type DetectorInput, InvalidInput, updateDetectors } from '@sonde/commands'
import { PERFORMANCE_TYPES, type PerformanceType } from '@sonde/protocol/issue-category'
import { type DetectorRules, DETECTORS } from '@sonde/protocol/performance-detectors'
import { projectSettings } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { takenByName } from '../taken.ts'

const PATH = '/projects/:org/:project/performance-issues/configure'

const Thresholds = z.record(z.string(), z.number()).meta({ description: 'By name.' })
const thresholdsOf = (type: PerformanceType) =>
  z.object(Object.fromEntries(DETECTORS[type].thresholds.map(({ key }) => [key, z.number().optional()])))
const Changes = z.object(
  Object.fromEntries(
    PERFORMANCE_TYPES.map((type) => [
      type,
      z
        .object({ enabled: z.boolean().optional(), thresholds: thresholdsOf(type).optional() })
        .optional()
        .meta({ description: DETECTORS[type].name }),
    ]),
  ),
)
const Detectors = z
  .record(
    z.string(),
    z.object({ name: z.string(), enabled: z.boolean(), thresholds: Thresholds, defaults: Thresholds }),
  )
  .meta({ id: 'Detectors', description: 'By type of issue.' })

export function detectorRoutes(api: Api, { queries, commands }: ApiOptions): void {
  const shown = async (grant: Grant<'project:read', 'project'>) => {
    const settings = await projectSettings(queries, grant)
    return settings && detectorsJson(settings.detectors)
  }

  api.get(
    PATH,
    {
      id: 'getDetectors',
      summary: 'Read what is looked for in spans',
      tag: 'Projects',
      permission: 'project:read',
      answer: Detectors,
    },
    ({ grant }) => shown(grant),
  )

  api.put(
    PATH,
    {
      id: 'updateDetectors',
      summary: 'Change what is looked for in spans',
      description: 'What is left out stays.',
      tag: 'Projects',
      permission: 'project:write',
      body: takenByName(Changes, 'By type of issue. What is left out stays.'),
      answer: Detectors,
    },
    async ({ grant, body }) => {
      const input = Object.entries(body).map(([type, value]) => [type, inputOf(type, value)])
      await updateDetectors(commands, grant, Object.fromEntries(input))
      return shown(grant)
    },
  )
}

/** `{enabled, thresholds: {min_count: 5}}`; what is left out stays. */
function inputOf(type: string, value: unknown): DetectorInput {
  const refuse = (): never => {
    throw new InvalidInput('change the detectors', { [type]: ['is {enabled, thresholds}'] })
  }
  if (typeof value !== 'object' || value === null) return refuse()
  const { enabled, thresholds = {} } = value as { enabled?: unknown; thresholds?: unknown }
  if (enabled !== undefined && typeof enabled !== 'boolean') return refuse()
  if (typeof thresholds !== 'object' || thresholds === null) return refuse()
  // What is no number is told apart by the command, which says what is allowed.
  const numbers = Object.entries(thresholds).map(([key, each]) => [
    key,
    typeof each === 'number' ? each : NaN,
  ])
  return { isOn: enabled, thresholds: Object.fromEntries(numbers) }
}

const detectorsJson = (rules: DetectorRules) =>
  Object.fromEntries(
    PERFORMANCE_TYPES.map((type) => {
      const { name, thresholds } = DETECTORS[type]
      const rule = rules[type]
      const defaults = Object.fromEntries(thresholds.map(({ key, value }) => [key, value]))
      return [
        type,
        { name, enabled: rule?.isOn ?? true, thresholds: { ...defaults, ...rule?.thresholds }, defaults },
      ]
    }),
  )
