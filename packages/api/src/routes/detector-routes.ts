/**
 * What is found in the spans of a project. Sentry has the address, but does not document what is answered there: the words are
 * our own. docs/detectors.md
 */
import { type DetectorInput, InvalidInput, updateDetectors } from '@sonde/commands'
import { PERFORMANCE_TYPES } from '@sonde/protocol/issue-category'
import { type DetectorRules, DETECTORS } from '@sonde/protocol/performance-detectors'
import { projectSettings } from '@sonde/queries'
import { type Api, type ApiOptions, projectGrant } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'

const PATH = '/projects/:org/:project/performance-issues/configure'

export function detectorRoutes(api: Api, { queries, commands }: ApiOptions): void {
  api.get(PATH, async (c) => {
    const settings = await projectSettings(queries, await projectGrant(c, 'project:read'))
    return settings ? c.json(detectorsJson(settings.detectors)) : c.notFound()
  })

  api.put(PATH, async (c) => {
    const grant = await projectGrant(c, 'project:write')
    const body = await jsonBody(c)
    const input = Object.fromEntries(body.names.map((type) => [type, inputOf(type, body.value(type))]))
    await updateDetectors(commands, grant, input)
    const settings = await projectSettings(queries, grant)
    return settings ? c.json(detectorsJson(settings.detectors)) : c.notFound()
  })
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
