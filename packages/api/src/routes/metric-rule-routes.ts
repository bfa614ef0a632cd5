/**
 * Metric alert rules in Sentry's words, below the organization and below the project.
 * https://docs.sentry.io/api/alerts/list-an-organizations-metric-alert-rules/
 */
import type { Grant } from '@sonde/access'
import { createAlertRule, deleteAlertRule, updateAlertRule } from '@sonde/commands'
import { alertRule, type AlertRuleRow, alertRules, listProjects } from '@sonde/queries'
import { z } from 'zod'
import { inFormNames, refuse } from '../alert-forms/form.ts'
import {
  METRIC_NAMES,
  metricRuleJson,
  type ReadMetricRule,
  readMetricBody,
  warningForm,
  warningOf,
} from '../alert-forms/metric-rule.ts'
import { MetricRule, MetricRuleBody } from '../alert-forms/rule-schemas.ts'
import { type ApiContext, type ApiOptions, notFound, orgGrant, projectGrant } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { fieldsOf } from '../json-body.ts'
import { setPage } from '../pages.ts'
import { directoryOf, idOf } from './alert-directory.ts'

type WriteGrant = Awaited<ReturnType<typeof projectGrant<'alert:write'>>>

export function metricRuleRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options

  /** Without those that are the warnings of others. */
  const rulesOf = (rows: readonly AlertRuleRow[]) => {
    const own = rows.filter(({ kind }) => kind === 'metric')
    const ids = new Set(own.map(({ id }) => id))
    return own.flatMap((row) => {
      const of = warningOf(row)
      const isWarning = of !== undefined && ids.has(of)
      return isWarning ? [] : [{ row, warning: own.find((each) => warningOf(each) === row.id) }]
    })
  }

  const find = async (c: ApiContext, grant: ReadGrant, ref: string) => {
    const row = await alertRule(queries, grant, idOf(ref))
    if (row?.kind !== 'metric') return undefined
    const project = await c.get('grants').openProject(grant.orgId, row.projectId, 'alert:read')
    return rulesOf(await alertRules(queries, project)).find((each) => each.row.id === row.id)
  }
  const need = async (c: ApiContext, grant: ReadGrant, ref: string) => {
    const found = await find(c, grant, ref)
    if (!found) throw notFound('open a rule')
    const mayWrite = await c.get('grants').openProject(grant.orgId, found.row.projectId, 'alert:write')
    return { ...found, mayWrite }
  }

  const shown = async (grant: ReadGrant, ruleId: number) => {
    const rules = rulesOf(await alertRules(queries, grant))
    const rule = rules.find(({ row }) => row.id === ruleId)
    if (!rule) return undefined
    return metricRuleJson(rule, grant.orgId, await directoryOf(options, grant), queries.clock.nowMs())
  }

  const reads = { tag: 'Alerts', permission: 'alert:read' } as const
  const writes = { tag: 'Alerts', permission: 'alert:read', opens: 'alert:write' } as const
  for (const base of ['/organizations/:org', '/projects/:org/:project'] as const) {
    const list = `${base}/alert-rules` as const
    const one = `${base}/alert-rules/:rule` as const

    api.get(
      list,
      {
        ...reads,
        id: 'listMetricRules',
        summary: 'List the rules for measures',
        pages: true,
        answer: z.array(MetricRule),
      },
      async ({ c, grant }) => {
        const rules = rulesOf(await alertRules(queries, grant))
        const directory = await directoryOf(options, grant)
        const nowMs = queries.clock.nowMs()
        return setPage(c, publicUrl, rules).map((rule) => metricRuleJson(rule, grant.orgId, directory, nowMs))
      },
    )

    api.post(
      list,
      {
        tag: 'Alerts',
        permission: 'alert:write',
        id: 'createMetricRule',
        summary: 'Make a rule for a measure',
        body: MetricRuleBody,
        answer: MetricRule,
        status: 201,
      },
      async ({ c, grant: reader, body }) => {
        const grant = await projectOf(c, options, body)
        const read = readMetricBody(fieldsOf(body), await directoryOf(options, grant))
        const { id: ruleId } = await inFormNames(METRIC_NAMES, () =>
          createAlertRule(commands, grant, {
            name: read.name,
            kind: 'metric',
            rule: read.critical,
            apiForm: read.apiForm,
          }),
        )
        try {
          await writeWarning(options, grant, ruleId, read, undefined)
        } catch (error) {
          await deleteAlertRule(commands, grant, { ruleId })
          throw error
        }
        return shown(reader, ruleId)
      },
    )

    api.get(
      one,
      { ...reads, id: 'getMetricRule', summary: 'Read a rule for a measure', answer: MetricRule },
      async ({ c, grant, params }) => {
        const found = await find(c, grant, params.rule)
        return found && shown(grant, found.row.id)
      },
    )

    api.put(
      one,
      {
        ...writes,
        id: 'updateMetricRule',
        summary: 'Write a rule for a measure',
        description: 'All of it: what is left out has its usual value.',
        body: MetricRuleBody,
        answer: MetricRule,
      },
      async ({ c, grant, params, body }) => {
        const { row, warning, mayWrite } = await need(c, grant, params.rule)
        const read = readMetricBody(fieldsOf(body), await directoryOf(options, mayWrite))
        await inFormNames(METRIC_NAMES, () =>
          updateAlertRule(commands, mayWrite, {
            ruleId: row.id,
            name: read.name,
            rule: read.critical,
            apiForm: read.apiForm,
          }),
        )
        await writeWarning(options, mayWrite, row.id, read, warning)
        return shown(grant, row.id)
      },
    )

    api.delete(
      one,
      { ...writes, id: 'deleteMetricRule', summary: 'Delete a rule for a measure' },
      async ({ c, grant, params }) => {
        const { row, warning, mayWrite } = await need(c, grant, params.rule)
        if (warning) await deleteAlertRule(commands, mayWrite, { ruleId: warning.id })
        await deleteAlertRule(commands, mayWrite, { ruleId: row.id })
      },
    )
  }
}

type ReadGrant = Grant<'alert:read', 'org' | 'project'>

/** Of the path, or the only one that the body names. */
async function projectOf(
  c: ApiContext,
  { queries }: ApiOptions,
  { projects }: z.output<typeof MetricRuleBody>,
): Promise<WriteGrant> {
  if (c.req.param('project') !== undefined) return projectGrant(c, 'alert:write')
  const [named, ...others] = Array.isArray(projects) ? (projects as unknown[]) : []
  if (typeof named !== 'string' || others.length > 0)
    return refuse('projects', 'is a list with the slug of one project: a rule watches one')
  const grant = await orgGrant(c, 'alert:write')
  const known = await listProjects(queries, await orgGrant(c, 'project:read'))
  const project = known.find(({ slug }) => slug === named)
  if (!project) return refuse('projects', `there is no project ${named}`)
  return c.get('grants').openProject(grant.orgId, project.id, 'alert:write')
}

const WARNING = ' (warning)'
const MAX_NAME_CHARS = 100

/** A warning is a rule beside the critical one: with its own incidents and whom they are told. */
async function writeWarning(
  { commands }: ApiOptions,
  grant: WriteGrant,
  criticalId: number,
  { name: whole, warning: rule }: ReadMetricRule,
  before: AlertRuleRow | undefined,
): Promise<void> {
  const name = whole.slice(0, MAX_NAME_CHARS - WARNING.length) + WARNING
  const apiForm = warningForm(criticalId)
  if (rule === undefined) {
    if (before) await deleteAlertRule(commands, grant, { ruleId: before.id })
    return
  }
  await inFormNames(METRIC_NAMES, async () => {
    if (before) await updateAlertRule(commands, grant, { ruleId: before.id, name, rule, apiForm })
    else await createAlertRule(commands, grant, { name, kind: 'metric', rule, apiForm })
  })
}
