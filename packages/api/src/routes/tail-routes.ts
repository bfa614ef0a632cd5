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
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { text } from '../query-schemas.ts'
import { Time } from '../serializers/date.ts'
import { invalid } from './explore-params.ts'

/** More ids are no question of a person. */
const MAX_PROJECTS = 100

const Tailed = z
  .object({
    id: z.string(),
    project: z.string().nullable(),
    timestamp: Time,
    received: Time,
    level: z.string(),
    message: z.string(),
    release: z.string().nullable(),
    environment: z.string().nullable(),
    trace: z.string().nullable(),
    groupID: z.string().optional().meta({ description: 'Of an event: its issue.' }),
    culprit: z.string().optional(),
  })
  .meta({ id: 'TailedRow' })

export function tailRoutes(api: Api, { queries }: ApiOptions): void {
  api.get(
    '/organizations/:org/tail',
    {
      id: 'tail',
      summary: 'Read events or lines of logs as they arrive',
      description: 'Each row once. Ask again with the cursor of the answer.',
      tag: 'Live',
      permission: 'event:read',
      query: z.object({
        dataset: z.enum(TAIL_DATASETS, `is one of ${TAIL_DATASETS.join(', ')}`),
        query: text('A search, as in the list of events or of logs.'),
        project: z
          .array(z.string())
          .default([])
          .transform((given) => given.slice(0, MAX_PROJECTS))
          .meta({
            description: 'Slugs or ids; none: all.',
            override: { type: 'array', items: { type: 'string' } },
          }),
        cursor: text('Of the answer before. Without it reading begins now.'),
        last: text(`So many rows before now, with the first answer; at most ${MAX_TAIL_BEFORE}.`),
      }),
      answer: z.object({ data: z.array(Tailed), cursor: z.string(), hasMore: z.boolean() }),
    },
    async ({ grant, query: { dataset, query, project: named, cursor, last } }) => {
      const visible = await listProjects(queries, grant)
      const projects = visible.filter(({ id, slug }) => named.includes(slug) || named.includes(String(id)))
      if (named.length > 0 && projects.length === 0) return undefined
      const read = await tailRows(queries, grant, {
        dataset,
        query,
        projectIds: projects.map(({ id }) => id),
        cursor: cursor === undefined ? undefined : parseTailCursor(cursor),
        before: lastOf(last),
      })
      const slugs = new Map(visible.map(({ id, slug }) => [id, slug]))
      return {
        data: read.rows.map((row) => tailJson(row, slugs.get(row.projectId) ?? null)),
        cursor: formatTailCursor(read.cursor),
        hasMore: read.hasMore,
      }
    },
  )
}

function lastOf(given = '0'): number {
  const last = /^\d{1,4}$/.test(given) ? Number(given) : Number.NaN
  if (last <= MAX_TAIL_BEFORE) return last
  throw invalid(`last is a number up to ${MAX_TAIL_BEFORE}`)
}

const tailJson = (row: TailRow, project: string | null): z.infer<typeof Tailed> => ({
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
