/** Exports of an organization: our own, docs/operate/export.md. No token has `org:write`: for owners who are signed in. */
import {
  cancelExport,
  ExportPlanFields,
  type ExportPlanInput,
  readExportPlan,
  requestExport,
  saveExportPlan,
} from '@sonde/commands'
import { type ExportRow, listExports } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { isoDate, isoDateOrNull, Time } from '../serializers/date.ts'

const LIST = '/organizations/:org/exports'
const PLAN = '/organizations/:org/export-schedule'

const Export = z
  .object({
    id: z.string(),
    state: z.string().meta({ description: 'What became of it; `removed`: its files are gone.' }),
    requestedBy: z.string(),
    folder: z.string().meta({ description: 'Below the place that is set on the machine.' }),
    dateRequested: Time,
    dateFinished: Time.nullable(),
    files: z.int(),
    bytes: z.int(),
    rows: z.int(),
    totalRows: z.int(),
    trouble: z.string().nullable(),
  })
  .meta({ id: 'Export' })

const owners = { tag: 'Data', permission: 'org:write' } as const

export function exportRoutes(api: Api, { queries, commands }: ApiOptions): void {
  api.get(
    LIST,
    { ...owners, id: 'listExports', summary: 'List the exports of an organization', answer: z.array(Export) },
    async ({ grant }) => (await listExports(queries, grant)).map(exportJson),
  )

  api.post(
    LIST,
    {
      ...owners,
      id: 'requestExport',
      summary: 'Export everything of an organization',
      answer: z.object({ id: z.string() }),
      status: 202,
    },
    async ({ grant }) => ({ id: String((await requestExport(commands, grant)).id) }),
  )

  api.get(
    `${LIST}/:export`,
    { ...owners, id: 'getExport', summary: 'Read an export', answer: Export },
    async ({ grant, params }) => {
      const [row] = await listExports(queries, grant, idOf(params.export))
      return row && exportJson(row)
    },
  )

  api.delete(
    `${LIST}/:export`,
    { ...owners, id: 'cancelExport', summary: 'Call an export off' },
    ({ grant, params }) => cancelExport(commands, grant, idOf(params.export)),
  )

  api.get(
    PLAN,
    { ...owners, id: 'getExportSchedule', summary: 'Read when exports are made', answer: ExportPlanFields },
    async ({ grant }) => planJson(await readExportPlan(queries.records, grant.orgId)),
  )

  api.put(
    PLAN,
    {
      ...owners,
      id: 'updateExportSchedule',
      summary: 'Change when exports are made',
      description: 'What is absent stays.',
      body: ExportPlanFields.partial(),
      answer: ExportPlanFields,
    },
    async ({ grant, body }) => planJson(await saveExportPlan(commands, grant, withoutAbsent(body))),
  )
}

const withoutAbsent = (fields: z.output<ReturnType<typeof ExportPlanFields.partial>>) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<ExportPlanInput>

/** Other numbers than ids are of none. */
const idOf = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0)

const planJson = ({ schedule, at, weekday, zone, keep }: ExportPlanInput) => ({
  schedule,
  at,
  weekday,
  zone,
  keep,
})

const exportJson = (row: ExportRow) => ({
  id: String(row.id),
  state: row.isRemoved ? 'removed' : row.state,
  requestedBy: row.by,
  folder: row.folder,
  dateRequested: isoDate(row.requestedMs),
  dateFinished: isoDateOrNull(row.finishedMs),
  files: row.files,
  bytes: row.bytes,
  rows: row.rows,
  totalRows: row.totalRows,
  trouble: row.trouble === '' ? null : row.trouble,
})
