/**
 * `GET /api/0/organizations/{org}/tail/`: events or lines of logs as they arrive, each once. Ours; `sonde tail` asks it. Without `cursor`
 * reading begins now, behind the `last` rows; each answer has the cursor for the next. docs/reference/cli.md
 */
import {
  formatTailCursor,
  listProjects,
  MAX_TAIL_BEFORE,
  parseTailCursor,
  TAIL_DATASETS,
  type TailRow,
  tailRows,
} from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, orgGrant } from '../api-context.ts'
import { invalid } from './explore-params.ts'

/** More ids are no question of a person. */
const MAX_PROJECTS = 100

export function tailRoutes(api: Api, { queries }: ApiOptions): void {
  api.get('/organizations/:org/tail', async (c) => {
    const grant = await orgGrant(c, 'event:read')
    const name = c.req.query('dataset')
    const dataset = TAIL_DATASETS.find((one) => one === name)
    if (dataset === undefined) throw invalid(`dataset is one of ${TAIL_DATASETS.join(', ')}`)
    const visible = await listProjects(queries, grant)
    const named = (c.req.queries('project') ?? []).slice(0, MAX_PROJECTS)
    const projects = visible.filter(({ id, slug }) => named.includes(slug) || named.includes(String(id)))
    if (named.length > 0 && projects.length === 0) return c.notFound()
    const cursor = c.req.query('cursor')
    const {
      rows,
      cursor: next,
      hasMore,
    } = await tailRows(queries, grant, {
      dataset,
      query: c.req.query('query'),
      projectIds: projects.map(({ id }) => id),
      cursor: cursor === undefined ? undefined : parseTailCursor(cursor),
      before: lastParam(c),
    })
    const slugs = new Map(visible.map(({ id, slug }) => [id, slug]))
    return c.json({
      data: rows.map((row) => tailJson(row, slugs.get(row.projectId) ?? null)),
      cursor: formatTailCursor(next),
      hasMore,
    })
  })
}

function lastParam(c: ApiContext): number {
  const text = c.req.query('last') ?? '0'
  const last = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (last <= MAX_TAIL_BEFORE) return last
  throw invalid(`last is a number up to ${MAX_TAIL_BEFORE}`)
}

const tailJson = (row: TailRow, project: string | null) => ({
  id: row.id,
  project,
  timestamp: new Date(row.timestampMs).toISOString(),
  received: new Date(row.receivedMs).toISOString(),
  level: row.level,
  message: row.message,
  release: row.release === '' ? null : row.release,
  environment: row.environment === '' ? null : row.environment,
  trace: row.traceId === '' ? null : row.traceId,
  ...(row.issueId !== 0 && { groupID: String(row.issueId), culprit: row.culprit }),
})
