/** How long a project keeps each kind of data, what it has of it, and what goes with the next sweep. */
import type { Grant } from '@sonde/access'
import {
  readStorageState,
  type RetentionCut,
  retentionCut,
  type RetentionRule,
  STORAGE_KIND_NAMES,
  type StorageKind,
  storageDay,
  storageKindInfo,
} from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

export type KindRetention = RetentionRule & {
  readonly kind: StorageKind
  readonly name: string
  readonly holds: string
  readonly rows: number
  readonly bytes: number
  /** The begin of its oldest day (UTC); undefined: there is nothing. */
  readonly oldestMs: number | undefined
  /** Undefined: nothing. */
  readonly goes: RetentionCut | undefined
}

export type ProjectRetention = {
  /** Of the installation, `SONDE_RETENTION_DAYS`: a rule can only shorten it. */
  readonly installationDays: number | undefined
  readonly kinds: readonly KindRetention[]
  /** When what is stored was measured; undefined: never yet. */
  readonly measuredMs: number | undefined
  /** When what goes goes: with the next measurement, within some minutes of it. */
  readonly sweepMs: number
  readonly rows: number
  readonly bytes: number
}

type Rules = Readonly<Partial<Record<StorageKind, RetentionRule>>>
const NO_RULE: RetentionRule = { keepDays: null, maxBytes: null }
const HOUR_MS = 3_600_000

/** `tried`: rules in the place of the saved ones of their kinds; `rows` and `bytes` are what goes by them. */
export async function projectRetention(
  { records, clock, retentionDays }: Pick<QueryDeps, 'records' | 'clock' | 'retentionDays'>,
  grant: Grant<'project:read', 'project'>,
  tried: Rules = {},
): Promise<ProjectRetention> {
  const nowMs = clock.nowMs()
  const [rules, days, measured] = await Promise.all([
    records.selectFrom('retention_rule').selectAll().where('project_id', '=', grant.projectId).execute(),
    records
      .selectFrom('storage_day')
      .select(['kind', 'day_ms as dayMs', 'rows', 'bytes'])
      .where('project_id', '=', grant.projectId)
      .execute(),
    readStorageState<{ readonly atMs: number }>(records, 'measured'),
  ])
  const saved = new Map(
    rules.map(({ kind, keep_days, max_bytes }) => [kind, { keepDays: keep_days, maxBytes: max_bytes }]),
  )
  const kinds = STORAGE_KIND_NAMES.filter((kind) => storageKindInfo(kind).rule === 'yes').map((kind) => {
    const { name, holds } = storageKindInfo(kind)
    const rule = tried[kind] ?? saved.get(kind) ?? NO_RULE
    const of = days.filter((day) => day.kind === kind && (day.rows > 0 || day.bytes > 0))
    return {
      kind,
      name,
      holds,
      ...rule,
      rows: of.reduce((sum, { rows }) => sum + rows, 0),
      bytes: of.reduce((sum, { bytes }) => sum + bytes, 0),
      oldestMs: of.length === 0 ? undefined : Math.min(...of.map(({ dayMs }) => dayMs)),
      goes: retentionCut(rule, of, storageDay(nowMs)),
    }
  })
  return {
    installationDays: retentionDays,
    kinds,
    measuredMs: measured?.atMs,
    sweepMs: Math.max(nowMs, (measured?.atMs ?? nowMs) + HOUR_MS),
    rows: kinds.reduce((sum, { goes }) => sum + (goes?.rows ?? 0), 0),
    bytes: kinds.reduce((sum, { goes }) => sum + (goes?.bytes ?? 0), 0),
  }
}
