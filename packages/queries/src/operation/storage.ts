/** What is stored, by project, kind and day, and when the disk will be full: the operator's page "Storage". */
import type { Grant } from '@sonde/access'
import {
  readStorageState,
  STORAGE_DAY_MS,
  STORAGE_KIND_NAMES,
  type StorageKind,
  storageDay,
} from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { type DiskForecast, forecastDisk } from './disk-forecast.ts'

export type StoredSum = { readonly rows: number; readonly bytes: number }

export type ProjectStorage = {
  readonly projectId: number
  readonly org: string
  readonly project: string
  readonly bytes: number
  /** Without kinds that it has nothing of. */
  readonly kinds: Readonly<Partial<Record<StorageKind, StoredSum>>>
}

export type StorageDay = {
  readonly dayMs: number
  readonly bytes: number
  /** What the day had brought, before anything of it was deleted. */
  readonly broughtBytes: number
  readonly kinds: Readonly<Partial<Record<StorageKind, number>>>
}

export type InstallationStorage = {
  /** Unix milliseconds; undefined: never yet. */
  readonly measuredMs: number | undefined
  readonly bytes: number
  /** The largest first. */
  readonly projects: readonly ProjectStorage[]
  /** Without kinds of which nothing is stored. */
  readonly kinds: readonly (StoredSum & { readonly kind: StorageKind })[]
  /** The newest first, also days without data. */
  readonly days: readonly StorageDay[]
  readonly forecast: DiskForecast
}

type Deps = Pick<QueryDeps, 'records' | 'clock'>
const SHOWN_DAYS = 30

/** Of the whole installation; the days of one project when `projectId` is given. */
export async function installationStorage(
  deps: Deps,
  _grant: Grant<'operate', 'operator'>,
  { projectId }: { readonly projectId?: number | undefined } = {},
): Promise<InstallationStorage> {
  const [projects, days, measured, forecast] = await Promise.all([
    storedByProject(deps, undefined),
    storedByDay(deps, projectId === undefined ? undefined : [projectId]),
    readStorageState<{ readonly atMs: number }>(deps.records, 'measured'),
    forecastDisk(deps),
  ])
  return { measuredMs: measured?.atMs, ...sumsOf(projects), projects, days, forecast }
}

export type OrgStorage = Omit<InstallationStorage, 'days' | 'forecast'>

/** Of the projects of an organization. */
export async function organizationStorage(
  deps: Deps,
  grant: Grant<'audit:read', 'org'>,
): Promise<OrgStorage> {
  const [projects, measured] = await Promise.all([
    storedByProject(deps, grant.orgId),
    readStorageState<{ readonly atMs: number }>(deps.records, 'measured'),
  ])
  return { measuredMs: measured?.atMs, ...sumsOf(projects), projects }
}

function sumsOf(projects: readonly ProjectStorage[]): Pick<InstallationStorage, 'bytes' | 'kinds'> {
  const kinds = STORAGE_KIND_NAMES.map((kind) => {
    const of = projects.flatMap((each) => each.kinds[kind] ?? [])
    return {
      kind,
      rows: of.reduce((sum, { rows }) => sum + rows, 0),
      bytes: of.reduce((sum, { bytes }) => sum + bytes, 0),
    }
  })
  return {
    bytes: projects.reduce((sum, { bytes }) => sum + bytes, 0),
    kinds: kinds.filter(({ rows, bytes }) => rows > 0 || bytes > 0).toSorted((a, b) => b.bytes - a.bytes),
  }
}

async function storedByProject(
  { records }: Deps,
  orgId: number | undefined,
): Promise<readonly ProjectStorage[]> {
  let query = records
    .selectFrom('storage_day')
    .innerJoin('project', 'project.id', 'storage_day.project_id')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .select(({ fn }) => [
      'project.id as projectId',
      'project.slug as project',
      'organization.slug as org',
      'storage_day.kind as kind',
      fn.sum<number>('storage_day.rows').as('rows'),
      fn.sum<number>('storage_day.bytes').as('bytes'),
    ])
    .groupBy(['project.id', 'project.slug', 'organization.slug', 'storage_day.kind'])
  if (orgId !== undefined) query = query.where('project.org_id', '=', orgId)
  const rows = (await query.execute()).filter(({ rows: count, bytes }) => count > 0 || bytes > 0)
  return [...Map.groupBy(rows, ({ projectId }) => projectId)]
    .map(([projectId, of]) => ({
      projectId,
      org: of[0]?.org ?? '',
      project: of[0]?.project ?? '',
      bytes: of.reduce((sum, { bytes }) => sum + bytes, 0),
      kinds: Object.fromEntries(of.map(({ kind, rows: count, bytes }) => [kind, { rows: count, bytes }])),
    }))
    .toSorted((a, b) => b.bytes - a.bytes || a.projectId - b.projectId)
}

async function storedByDay(
  { records, clock }: Deps,
  projectIds: readonly number[] | undefined,
): Promise<readonly StorageDay[]> {
  const today = storageDay(clock.nowMs())
  let query = records
    .selectFrom('storage_day')
    .select(({ fn }) => [
      'day_ms as dayMs',
      'kind',
      fn.sum<number>('bytes').as('bytes'),
      fn.sum<number>('most_bytes').as('broughtBytes'),
    ])
    .where('day_ms', '>', today - SHOWN_DAYS * STORAGE_DAY_MS)
    .groupBy(['day_ms', 'kind'])
  if (projectIds) query = query.where('project_id', 'in', projectIds)
  const byDay = Map.groupBy(await query.execute(), ({ dayMs }) => dayMs)
  return Array.from({ length: SHOWN_DAYS }, (_, ago) => {
    const dayMs = today - ago * STORAGE_DAY_MS
    const of = byDay.get(dayMs) ?? []
    return {
      dayMs,
      bytes: of.reduce((sum, { bytes }) => sum + bytes, 0),
      broughtBytes: of.reduce((sum, { broughtBytes }) => sum + broughtBytes, 0),
      kinds: Object.fromEntries(of.filter(({ bytes }) => bytes > 0).map(({ kind, bytes }) => [kind, bytes])),
    }
  })
}
