import type { Grant } from '@sonde/access'
import { formatDsn } from '@sonde/protocol/dsn'
import { projectIdsOf, type QueryDeps } from './query-deps.ts'

export type ProjectKeyRow = {
  readonly id: number
  readonly label: string
  /** 32 lower hex. */
  readonly publicKey: string
  readonly dsn: string
  /** False also for a rotated key whose time is over. */
  readonly isActive: boolean
  /** When a rotated key stops working; undefined: never, or it was switched off by hand. */
  readonly activeUntilMs: number | undefined
  readonly rateLimit: { readonly count: number; readonly windowSec: number } | undefined
  readonly createdMs: number
}

/** The client keys of a project, oldest first. Disabled ones are in the list. */
export async function projectKeys(
  { records, publicUrl, clock }: Pick<QueryDeps, 'records' | 'publicUrl' | 'clock'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
): Promise<readonly ProjectKeyRow[]> {
  const rows = await records
    .selectFrom('project_key')
    .selectAll()
    .where('project_id', '=', grant.projectId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    publicKey: row.public_key,
    dsn: dsnFor(publicUrl, row.public_key, grant.projectId),
    isActive: row.is_active === 1 && (row.active_until_ms ?? Infinity) > clock.nowMs(),
    activeUntilMs: row.active_until_ms ?? undefined,
    rateLimit:
      row.rate_limit_count === null || row.rate_limit_window_sec === null
        ? undefined
        : { count: row.rate_limit_count, windowSec: row.rate_limit_window_sec },
    createdMs: row.created_ms,
  }))
}

/** Of every project the DSN of its oldest key that works, by project id; undefined where there is none. */
export async function projectDsns(
  { records, publicUrl, clock }: Pick<QueryDeps, 'records' | 'publicUrl' | 'clock'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
): Promise<(projectId: number) => string | undefined> {
  const projects = await projectIdsOf({ records }, grant)
  if (projects.length === 0) return () => undefined
  const rows = await records
    .selectFrom('project_key')
    .select(['project_id', 'public_key'])
    .where('project_id', 'in', projects)
    .where('is_active', '=', 1)
    .where((eb) => eb.or([eb('active_until_ms', 'is', null), eb('active_until_ms', '>', clock.nowMs())]))
    .orderBy('id', 'desc')
    .execute()
  // The oldest comes last and stays.
  const keys = new Map(rows.map((row) => [row.project_id, row.public_key]))
  return (projectId) => {
    const key = keys.get(projectId)
    return key && dsnFor(publicUrl, key, projectId)
  }
}

/** `http://{publicKey}@host[:port][/path]/{projectId}`: what people paste into an SDK. */
export function dsnFor(publicUrl: string, publicKey: string, projectId: number): string {
  const url = new URL(publicUrl)
  return formatDsn({
    scheme: url.protocol === 'https:' ? 'https' : 'http',
    publicKey,
    host: url.hostname,
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    path: url.pathname.replace(/(?<!\/)\/+$/, ''),
    projectId: String(projectId),
  })
}
