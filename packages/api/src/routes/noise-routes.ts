/** What a project was sent and did not cause, and what becomes of each class of it. Sentry has no such address: docs/noise.md. */
import { changeProjectNoise } from '@sonde/commands'
import {
  NOISE_CLASSES,
  NOISE_NAMES,
  NOISE_RULES,
  type NoiseClass,
  type NoiseRule,
} from '@sonde/protocol/noise'
import { noiseLedger, type NoiseLedger, projectSettings, type ProjectSettingsView } from '@sonde/queries'
import { type Api, type ApiOptions, projectGrant } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { performanceParams } from '../request-params.ts'

const PATH = '/projects/:org/:project/noise'

export function noiseRoutes(api: Api, { queries, commands }: ApiOptions): void {
  // `statsPeriod` or `start` and `end`, of when events were received; 24 hours unless given.
  api.get(PATH, async (c) => {
    const grant = await projectGrant(c, 'event:read')
    const { fromMs, toMs } = performanceParams(c, queries.clock)
    const [ledger, settings] = await Promise.all([
      noiseLedger(queries, grant, { fromMs, toMs }),
      projectSettings(queries, grant),
    ])
    if (!settings) return c.notFound()
    const actions = rulesJson(settings).actions
    return c.json({
      start: new Date(fromMs).toISOString(),
      end: new Date(toMs).toISOString(),
      totals: ledger.totals,
      classes: ledger.classes.map((each) => classJson(each, actions[each.name])),
      reasons: ledger.reasons,
    })
  })

  api.get(`${PATH}/rules`, async (c) => {
    const settings = await projectSettings(queries, await projectGrant(c, 'project:read'))
    return settings ? c.json(rulesJson(settings)) : c.notFound()
  })

  // What is left out stays as it is.
  api.put(`${PATH}/rules`, async (c) => {
    const grant = await projectGrant(c, 'project:write')
    const body = await jsonBody(c)
    await changeProjectNoise(
      commands,
      grant,
      Object.fromEntries(body.names.map((name) => [name, body.value(name)])),
    )
    const settings = await projectSettings(queries, grant)
    return settings ? c.json(rulesJson(settings)) : c.notFound()
  })
}

/** Every class is named, also what is kept anyway. */
function rulesJson({ noise }: Pick<ProjectSettingsView, 'noise'>) {
  const actions = Object.fromEntries(NOISE_CLASSES.map((name) => [name, noise.actions[name] ?? 'keep']))
  return { actions: actions as Record<NoiseClass, string>, fullPerDay: noise.fullPerDay }
}

function classJson(figures: NoiseLedger['classes'][number], action: string) {
  const { name, kept, thinned, dropped, issues, users, rules, examples } = figures
  return {
    class: name,
    name: NOISE_NAMES[name],
    action,
    kept,
    thinned,
    dropped,
    issues,
    users,
    rules: rules.map(({ rule, events }) => ({ rule, description: saysOf(rule), events })),
    examples: examples.map(({ issueId, timestampMs, ...example }) => ({
      ...example,
      groupID: String(issueId),
      dateCreated: new Date(timestampMs).toISOString(),
    })),
  }
}

const saysOf = (rule: NoiseRule): string => NOISE_RULES[rule].says
