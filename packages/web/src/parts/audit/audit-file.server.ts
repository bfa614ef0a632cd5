/** The audit log as a file, written while it is read: entries of years are more than memory should hold. */
import { Readable } from 'node:stream'
import type { Grant } from '@sonde/access'
import { noteAuditExport } from '@sonde/commands'
import { type AuditFilter, type AuditPage, type AuditRow, walkAuditLog } from '@sonde/queries'
import type { ActionArgs } from '@sonde/router/server'
import { csvField, csvLine, csvText } from '../../format/csv.ts'
import type { AppContext } from '../../server/app-context.server.ts'
import { fieldsOf } from '../forms/posted-fields.ts'
import { readAuditFilter } from './audit-filter.server.ts'

const COLUMNS = [
  'id',
  'date_created',
  'actor',
  'actor_name',
  'action',
  'subject',
  'subject_email',
  'ip_address',
  'detail',
] as const

const timeOf = ({ atMs }: AuditRow): string => new Date(atMs).toISOString()

const csvOf = (row: AuditRow): string =>
  csvLine([
    csvField(String(row.id)),
    csvField(timeOf(row)),
    csvText(row.actor),
    csvText(row.by),
    csvText(row.action),
    csvText(row.subject),
    csvText(row.subjectEmail ?? ''),
    csvText(row.address ?? ''),
    csvText(JSON.stringify(row.detail)),
  ])

const jsonOf = (row: AuditRow): string =>
  JSON.stringify({
    id: row.id,
    date_created: timeOf(row),
    actor: row.actor,
    actor_name: row.by,
    action: row.action,
    subject: row.subject,
    subject_email: row.subjectEmail ?? null,
    ip_address: row.address ?? null,
    detail: row.detail,
  } satisfies Record<(typeof COLUMNS)[number], unknown>)

async function* csvFile(pages: AsyncIterable<readonly AuditRow[]>): AsyncGenerator<string> {
  yield csvLine([...COLUMNS])
  for await (const rows of pages) yield rows.map(csvOf).join('')
}

/** A list of objects, one in a line. */
async function* jsonFile(pages: AsyncIterable<readonly AuditRow[]>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const rows of pages)
    for (const row of rows) {
      yield before + jsonOf(row)
      before = ',\n'
    }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

/** `name` without the ending. */
function auditFile(
  pages: AsyncIterable<readonly AuditRow[]>,
  format: 'csv' | 'json',
  name: string,
): Response {
  const text = format === 'json' ? jsonFile(pages) : csvFile(pages)
  return new Response(Readable.toWeb(Readable.from(text, { objectMode: false })) as ReadableStream, {
    headers: {
      'content-type': format === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.${format}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  })
}

type Download = {
  readonly grant: Grant<'audit:read', 'org'> | Grant<'operate', 'operator'>
  readonly read: (filter: AuditFilter, limit: number) => Promise<AuditPage>
  /** Of the file, without the ending. */
  readonly name: string
}

/** Every entry that matches the posted filter, as a file in the posted `format`. The download is an entry itself. */
export async function downloadAudit(
  { context, formData }: Pick<ActionArgs<AppContext>, 'context' | 'formData'>,
  { grant, read, name }: Download,
): Promise<Response> {
  const posted = fieldsOf(await formData())
  const { shown, filter } = readAuditFilter(posted.text)
  const format = posted.text('format') === 'json' ? 'json' : 'csv'
  await noteAuditExport(context.commands, grant, { ...shown, format })
  return auditFile(walkAuditLog(read, filter), format, name)
}
