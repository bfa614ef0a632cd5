/** Rules that judge each release, for scripts that set up a deployment gate. docs/release-verdict.md */
import { createAlertRule, deleteAlertRule, updateAlertRule } from '@sonde/commands'
import { alertRule, alertRules } from '@sonde/queries'
import { inFormNames } from '../alert-forms/form.ts'
import { readReleaseBody, RELEASE_NAMES, releaseRuleJson } from '../alert-forms/release-rule.ts'
import { type Api, type ApiContext, type ApiOptions, projectGrant } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { setPage } from '../request-params.ts'
import { directoryOf, idParam } from './alert-directory.ts'

const LIST = '/projects/:org/:project/release-rules'
const ONE = '/projects/:org/:project/release-rules/:rule'

export function releaseRuleRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  const find = async <P extends 'alert:read' | 'alert:write'>(c: ApiContext, permission: P) => {
    const grant = await projectGrant(c, permission)
    const row = await alertRule(queries, grant, idParam(c, 'rule'))
    return { grant, row: row?.kind === 'release' ? row : undefined }
  }
  const shown = async (c: ApiContext, ruleId: number, status: 200 | 201) => {
    const grant = await projectGrant(c, 'alert:read')
    const [row, directory] = [await alertRule(queries, grant, ruleId), await directoryOf(options, grant)]
    return row ? c.json(releaseRuleJson(row, directory, queries.clock.nowMs()), status) : c.notFound()
  }

  api.get(LIST, async (c) => {
    const grant = await projectGrant(c, 'alert:read')
    const rules = (await alertRules(queries, grant)).filter(({ kind }) => kind === 'release')
    const directory = await directoryOf(options, grant)
    const nowMs = queries.clock.nowMs()
    return c.json(setPage(c, publicUrl, rules).map((row) => releaseRuleJson(row, directory, nowMs)))
  })

  api.post(LIST, async (c) => {
    const grant = await projectGrant(c, 'alert:write')
    const { isEnabled, ...read } = readReleaseBody(await jsonBody(c), await directoryOf(options, grant))
    const { id } = await inFormNames(RELEASE_NAMES, () =>
      createAlertRule(commands, grant, { kind: 'release', ...read }),
    )
    if (isEnabled === false) await updateAlertRule(commands, grant, { ruleId: id, isEnabled })
    return shown(c, id, 201)
  })

  api.get(ONE, async (c) => {
    const { row } = await find(c, 'alert:read')
    return row ? shown(c, row.id, 200) : c.notFound()
  })

  // All of it: what is left out has its usual value.
  api.put(ONE, async (c) => {
    const { grant, row } = await find(c, 'alert:write')
    if (!row) return c.notFound()
    const read = readReleaseBody(await jsonBody(c), await directoryOf(options, grant))
    await inFormNames(RELEASE_NAMES, () => updateAlertRule(commands, grant, { ruleId: row.id, ...read }))
    return shown(c, row.id, 200)
  })

  api.delete(ONE, async (c) => {
    const { grant, row } = await find(c, 'alert:write')
    if (!row) return c.notFound()
    await deleteAlertRule(commands, grant, { ruleId: row.id })
    return c.body(null, 204)
  })
}
