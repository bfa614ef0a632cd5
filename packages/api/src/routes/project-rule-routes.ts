/** The routes of a project's alert rules of one kind: list, make, read, write whole, delete. */
import { createAlertRule, type CreateAlertRuleInput, deleteAlertRule, updateAlertRule } from '@sonde/commands'
import { alertRule, type AlertRuleRow, alertRules } from '@sonde/queries'
import { inFormNames } from '../alert-forms/form.ts'
import { type Api, type ApiContext, type ApiOptions, projectGrant } from '../api-context.ts'
import { type JsonBody, jsonBody } from '../json-body.ts'
import { setPage } from '../request-params.ts'
import { directoryOf, idParam } from './alert-directory.ts'

type Directory = Awaited<ReturnType<typeof directoryOf>>

/** What tells one kind from the other. */
export type RuleForm = {
  readonly kind: 'issue' | 'release'
  /** Below the project. */
  readonly path: 'rules' | 'release-rules'
  /** Names of the command's fields in the form. */
  readonly names: Readonly<Record<string, string>>
  /** Throws `InvalidInput`. */
  readonly read: (
    body: JsonBody,
    directory: Directory,
  ) => CreateAlertRuleInput & { readonly isEnabled: boolean | undefined }
  readonly json: (row: AlertRuleRow, directory: Directory, nowMs: number) => Record<string, unknown>
  readonly deletedStatus: 202 | 204
}

export function projectRuleRoutes(api: Api, options: ApiOptions, form: RuleForm): void {
  const list = `/projects/:org/:project/${form.path}` as const
  const one = `${list}/:rule` as const
  const { queries, commands, publicUrl } = options
  const find = async <P extends 'alert:read' | 'alert:write'>(c: ApiContext, permission: P) => {
    const grant = await projectGrant(c, permission)
    const row = await alertRule(queries, grant, idParam(c, 'rule'))
    return { grant, row: row?.kind === form.kind ? row : undefined }
  }
  const shown = async (c: ApiContext, ruleId: number, status: 200 | 201) => {
    const grant = await projectGrant(c, 'alert:read')
    const [row, directory] = [await alertRule(queries, grant, ruleId), await directoryOf(options, grant)]
    return row ? c.json(form.json(row, directory, queries.clock.nowMs()), status) : c.notFound()
  }

  api.get(list, async (c) => {
    const grant = await projectGrant(c, 'alert:read')
    const rules = (await alertRules(queries, grant)).filter(({ kind }) => kind === form.kind)
    const directory = await directoryOf(options, grant)
    const nowMs = queries.clock.nowMs()
    return c.json(setPage(c, publicUrl, rules).map((row) => form.json(row, directory, nowMs)))
  })

  api.post(list, async (c) => {
    const grant = await projectGrant(c, 'alert:write')
    const { isEnabled, ...read } = form.read(await jsonBody(c), await directoryOf(options, grant))
    const { id } = await inFormNames(form.names, () => createAlertRule(commands, grant, read))
    if (isEnabled === false) await updateAlertRule(commands, grant, { ruleId: id, isEnabled })
    return shown(c, id, 201)
  })

  api.get(one, async (c) => {
    const { row } = await find(c, 'alert:read')
    return row ? shown(c, row.id, 200) : c.notFound()
  })

  // All of it: what is left out has its usual value.
  api.put(one, async (c) => {
    const { grant, row } = await find(c, 'alert:write')
    if (!row) return c.notFound()
    const { kind: _, ...read } = form.read(await jsonBody(c), await directoryOf(options, grant))
    await inFormNames(form.names, () => updateAlertRule(commands, grant, { ruleId: row.id, ...read }))
    return shown(c, row.id, 200)
  })

  api.delete(one, async (c) => {
    const { grant, row } = await find(c, 'alert:write')
    if (!row) return c.notFound()
    await deleteAlertRule(commands, grant, { ruleId: row.id })
    return c.body(null, form.deletedStatus)
  })
}
