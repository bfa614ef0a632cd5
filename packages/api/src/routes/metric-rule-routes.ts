/**
 * Metric alert rules in Sentry's words, below the organization and below the project.
 * https://docs.sentry.io/api/alerts/list-an-organizations-metric-alert-rules/
 */
import { createAlertRule, deleteAlertRule, updateAlertRule } from '@sonde/commands'
import { alertRule, type AlertRuleRow, alertRules, listProjects } from '@sonde/queries'
import { inFormNames, refuse } from '../alert-forms/form.ts'
import {
  METRIC_NAMES,
  metricRuleJson,
  type ReadMetricRule,
  readMetricBody,
  warningForm,
  warningOf,
} from '../alert-forms/metric-rule.ts'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  grantOfPath,
  orgGrant,
  projectGrant,
} from '../api-context.ts'
import { jsonBody, type JsonBody } from '../json-body.ts'
import { setPage } from '../request-params.ts'
import { directoryOf, idParam } from './alert-directory.ts'

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

  const find = async (c: ApiContext) => {
    const grant = await grantOfPath(c, 'alert:read')
    const row = await alertRule(queries, grant, idParam(c, 'rule'))
    if (row?.kind !== 'metric') return { grant, found: undefined }
    const project = await c.get('grants').openProject(grant.orgId, row.projectId, 'alert:read')
    return {
      grant,
      found: rulesOf(await alertRules(queries, project)).find((each) => each.row.id === row.id),
    }
  }

  const shown = async (c: ApiContext, ruleId: number, status: 200 | 201) => {
    const grant = await grantOfPath(c, 'alert:read')
    const rules = rulesOf(await alertRules(queries, grant))
    const rule = rules.find(({ row }) => row.id === ruleId)
    if (!rule) return c.notFound()
    const directory = await directoryOf(options, grant)
    return c.json(metricRuleJson(rule, grant.orgId, directory, queries.clock.nowMs()), status)
  }

  for (const base of ['/organizations/:org', '/projects/:org/:project']) {
    const [list, one] = [`${base}/alert-rules`, `${base}/alert-rules/:rule`]

    api.get(list, async (c) => {
      const grant = await grantOfPath(c, 'alert:read')
      const rules = rulesOf(await alertRules(queries, grant))
      const directory = await directoryOf(options, grant)
      const nowMs = queries.clock.nowMs()
      return c.json(
        setPage(c, publicUrl, rules).map((rule) => metricRuleJson(rule, grant.orgId, directory, nowMs)),
      )
    })

    api.post(list, async (c) => {
      await grantOfPath(c, 'alert:write')
      const body = await jsonBody(c)
      const grant = await projectOf(c, options, body)
      const read = readMetricBody(body, await directoryOf(options, grant))
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
      return shown(c, ruleId, 201)
    })

    api.get(one, async (c) => {
      const { found } = await find(c)
      return found ? shown(c, found.row.id, 200) : c.notFound()
    })

    api.put(one, async (c) => {
      const { grant: reader, found } = await find(c)
      if (!found) return c.notFound()
      const { row, warning } = found
      const grant = await c.get('grants').openProject(reader.orgId, row.projectId, 'alert:write')
      const read = readMetricBody(await jsonBody(c), await directoryOf(options, grant))
      await inFormNames(METRIC_NAMES, () =>
        updateAlertRule(commands, grant, {
          ruleId: row.id,
          name: read.name,
          rule: read.critical,
          apiForm: read.apiForm,
        }),
      )
      await writeWarning(options, grant, row.id, read, warning)
      return shown(c, row.id, 200)
    })

    api.delete(one, async (c) => {
      const { grant: reader, found } = await find(c)
      if (!found) return c.notFound()
      const { row, warning } = found
      const grant = await c.get('grants').openProject(reader.orgId, row.projectId, 'alert:write')
      if (warning) await deleteAlertRule(commands, grant, { ruleId: warning.id })
      await deleteAlertRule(commands, grant, { ruleId: row.id })
      return c.body(null, 204)
    })
  }
}

/** Of the path, or the only one that the body names. */
async function projectOf(c: ApiContext, { queries }: ApiOptions, body: JsonBody): Promise<WriteGrant> {
  if (c.req.param('project') !== undefined) return projectGrant(c, 'alert:write')
  const projects: unknown = body.value('projects')
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
