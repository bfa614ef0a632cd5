/** The routes of a project's alert rules of one kind: list, make, read, write whole, delete. */
import type { Grant } from '@sonde/access'
import { createAlertRule, type CreateAlertRuleInput, deleteAlertRule, updateAlertRule } from '@sonde/commands'
import { alertRule, type AlertRuleRow, alertRules } from '@sonde/queries'
import { z } from 'zod'
import { inFormNames } from '../alert-forms/form.ts'
import { type ApiOptions, notFound } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { fieldsOf, type JsonBody } from '../json-body.ts'
import type { DeepReadonly } from '../operation.ts'
import { setPage } from '../pages.ts'
import { directoryOf, idOf } from './alert-directory.ts'

type Directory = Awaited<ReturnType<typeof directoryOf>>

/** What tells one kind from the other. */
export type RuleForm<Shape extends z.ZodObject> = {
  readonly kind: 'issue' | 'release'
  /** As a part of the names of operations, and in a sentence. */
  readonly named: readonly [id: string, words: string]
  /** Below the project. */
  readonly path: 'rules' | 'release-rules'
  /** Names of the command's fields in the form. */
  readonly names: Readonly<Record<string, string>>
  readonly body: z.ZodObject
  readonly shape: Shape
  /** Throws `InvalidInput`. */
  readonly read: (
    body: JsonBody,
    directory: Directory,
  ) => CreateAlertRuleInput & { readonly isEnabled: boolean | undefined }
  readonly json: (row: AlertRuleRow, directory: Directory, nowMs: number) => DeepReadonly<z.output<Shape>>
  readonly deletedStatus: 202 | 204
}

export function projectRuleRoutes<Shape extends z.ZodObject>(
  api: Api,
  options: ApiOptions,
  form: RuleForm<Shape>,
): void {
  const list = `/projects/:org/:project/${form.path}` as const
  const one = `${list}/:rule` as const
  const [id, words] = form.named
  const reads = { tag: 'Alerts', permission: 'alert:read' } as const
  const writes = { tag: 'Alerts', permission: 'alert:write' } as const
  // Of every kind alike; `json` is held to the shape where the form is made.
  const answer: z.ZodType = form.shape
  const { queries, commands, publicUrl } = options
  const find = async (grant: Grant<'alert:read', 'project'>, ref: string) => {
    const row = await alertRule(queries, grant, idOf(ref))
    return row?.kind === form.kind ? row : undefined
  }
  const shown = async (grant: Grant<'alert:read', 'project'>, ruleId: number) => {
    const [row, directory] = [await alertRule(queries, grant, ruleId), await directoryOf(options, grant)]
    return row && form.json(row, directory, queries.clock.nowMs())
  }

  api.get(
    list,
    {
      ...reads,
      id: `list${id}Rules`,
      summary: `List the ${words} of a project`,
      pages: true,
      answer: z.array(answer),
    },
    async ({ c, grant }) => {
      const rules = (await alertRules(queries, grant)).filter(({ kind }) => kind === form.kind)
      const directory = await directoryOf(options, grant)
      const nowMs = queries.clock.nowMs()
      return setPage(c, publicUrl, rules).map((row) => form.json(row, directory, nowMs))
    },
  )

  api.post(
    list,
    {
      ...writes,
      id: `create${id}Rule`,
      summary: `Make one of the ${words}`,
      body: form.body,
      answer,
      status: 201,
    },
    async ({ grant, body }) => {
      const { isEnabled, ...read } = form.read(fieldsOf(body), await directoryOf(options, grant))
      const made = await inFormNames(form.names, () => createAlertRule(commands, grant, read))
      if (isEnabled === false) await updateAlertRule(commands, grant, { ruleId: made.id, isEnabled })
      return shown(grant, made.id)
    },
  )

  api.get(
    one,
    { ...reads, id: `get${id}Rule`, summary: `Read one of the ${words}`, answer },
    async ({ grant, params }) => {
      const row = await find(grant, params.rule)
      return row && shown(grant, row.id)
    },
  )

  api.put(
    one,
    {
      ...writes,
      id: `update${id}Rule`,
      summary: `Write one of the ${words}`,
      description: 'All of it: what is left out has its usual value.',
      body: form.body,
      answer,
    },
    async ({ grant, params, body }) => {
      const row = await find(grant, params.rule)
      if (!row) return undefined
      const { kind: _, ...read } = form.read(fieldsOf(body), await directoryOf(options, grant))
      await inFormNames(form.names, () => updateAlertRule(commands, grant, { ruleId: row.id, ...read }))
      return shown(grant, row.id)
    },
  )

  api.delete(
    one,
    { ...writes, id: `delete${id}Rule`, summary: `Delete one of the ${words}`, status: form.deletedStatus },
    async ({ grant, params }) => {
      const row = await find(grant, params.rule)
      if (!row) throw notFound('delete a rule')
      await deleteAlertRule(commands, grant, { ruleId: row.id })
    },
  )
}
