/** How long and how much a project keeps of each kind of data. Sentry has no such address: docs/operate/retention.md. */
import { readRetention, updateRetention } from '@sonde/commands'
import { projectRetention, type ProjectRetention } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, projectGrant } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'

const PATH = '/projects/:org/:project/retention'

export function retentionRoutes(api: Api, { queries, commands }: ApiOptions): void {
  api.get(PATH, async (c) =>
    c.json(retentionJson(await projectRetention(queries, await projectGrant(c, 'project:read')))),
  )

  // Kinds that are left out stay as they are; null: no rule.
  api.put(PATH, async (c) => {
    const grant = await projectGrant(c, 'project:write')
    await updateRetention(commands, grant, await rulesOf(c))
    return c.json(retentionJson(await projectRetention(queries, grant)))
  })

  // Changes nothing: what would go with the next sweep by these rules.
  api.post(`${PATH}/preview`, async (c) => {
    const grant = await projectGrant(c, 'project:write')
    const tried = readRetention(await rulesOf(c))
    return c.json(retentionJson(await projectRetention(queries, grant, tried)))
  })
}

async function rulesOf(c: ApiContext): Promise<unknown> {
  const body = await jsonBody(c)
  return Object.fromEntries(body.names.map((name) => [name, body.value(name)]))
}

const dateOf = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString()

function retentionJson({ installationDays, kinds, measuredMs, sweepMs, rows, bytes }: ProjectRetention) {
  return {
    installationDays: installationDays ?? null,
    measured: dateOf(measuredMs),
    nextSweep: dateOf(sweepMs),
    deleted: { rows, bytes },
    kinds: kinds.map((each) => ({
      kind: each.kind,
      keepDays: each.keepDays,
      maxBytes: each.maxBytes,
      rows: each.rows,
      bytes: each.bytes,
      oldest: dateOf(each.oldestMs),
      deleted: each.goes
        ? { before: dateOf(each.goes.beforeMs), rows: each.goes.rows, bytes: each.goes.bytes }
        : null,
    })),
  }
}
