/** Exports of an organization: asked for, called off, and made by a schedule. The files are written by a job of the server. */
import { actorOf, type Grant } from '@sonde/access'
import { isTimeZone } from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { readInput } from './fields.ts'

type Deps = Pick<CommandDeps, 'records' | 'clock' | 'onExport' | 'hasExportPlace'>
type OwnerGrant = Grant<'org:write', 'org'>

const MAX_KEPT = 100

export const ExportPlanFields = z.object({
  schedule: z.enum(['off', 'daily', 'weekly'], 'is off, daily or weekly'),
  at: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is a time such as 03:00'),
  /** Of `weekly`; 0 is Sunday. */
  weekday: z.int('is a day of the week').min(0, 'is a day of the week').max(6, 'is a day of the week'),
  zone: z.string().max(64).refine(isTimeZone, 'is not a time zone; names are as in Europe/Berlin'),
  /** The newest ones of the schedule; 0: all. */
  keep: z.int('is a whole number').min(0, 'is 0 or more').max(MAX_KEPT, `is at most ${MAX_KEPT}`),
})
export type ExportPlanInput = z.output<typeof ExportPlanFields>
export type ExportPlan = ExportPlanInput & {
  /** When its times were set, Unix milliseconds: earlier ones are not made up for. */
  readonly sinceMs: number
}

const NO_PLAN: ExportPlan = { schedule: 'off', at: '03:00', weekday: 0, zone: 'UTC', keep: 4, sinceMs: 0 }

export async function readExportPlan(records: Records, orgId: number): Promise<ExportPlan> {
  const row = await records
    .selectFrom('export_plan')
    .select('value')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row ? { ...NO_PLAN, ...(JSON.parse(row.value) as Partial<ExportPlan>) } : NO_PLAN
}

/** What is left out stays. Throws `InvalidInput`. */
export async function saveExportPlan(
  { records, clock, onExport }: Deps,
  grant: OwnerGrant,
  input: Partial<ExportPlanInput>,
): Promise<ExportPlan> {
  const plan = await writeTransaction(records, async (tx) => {
    const before = await readExportPlan(tx, grant.orgId)
    const { sinceMs, ...old } = before
    const read = readInput('change the schedule of exports', ExportPlanFields, { ...old, ...input })
    const isMoved = (['schedule', 'at', 'weekday', 'zone'] as const).some(
      (name) => read[name] !== before[name],
    )
    const saved: ExportPlan = { ...read, sinceMs: isMoved ? clock.nowMs() : sinceMs }
    const value = JSON.stringify(saved)
    await tx
      .insertInto('export_plan')
      .values({ org_id: grant.orgId, value })
      .onConflict((on) => on.column('org_id').doUpdateSet({ value }))
      .execute()
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'export.schedule',
      subject: grant.orgSlug,
      detail: read,
      atMs: clock.nowMs(),
    })
    return saved
  })
  onExport?.()
  return plan
}

/** Below the place of exports: no two have the same. */
export const exportFolder = (orgSlug: string, atMs: number): string =>
  `${orgSlug}/${new Date(atMs).toISOString().slice(0, 19).replaceAll(':', '')}z`.toLowerCase()

/** `place`: only the command line of the machine names one. */
export type ExportInput = { readonly place?: string }

/** Goes on in the background, also over restarts. Throws `conflict` while one of the organization is on its way. */
export async function requestExport(
  { records, clock, onExport, hasExportPlace = false }: Deps,
  grant: OwnerGrant,
  { place = '' }: ExportInput = {},
): Promise<{ readonly id: number }> {
  if (place === '' && !hasExportPlace)
    throw new SondeError('conflict', 'no place for exports is set on this machine', {
      operation: 'export an organization',
      hint: 'whoever runs Sonde sets SONDE_EXPORT_TO, or makes one with `sonde export ORG --to DIR`',
    })
  const atMs = clock.nowMs()
  const requested = await writeTransaction(records, async (tx) => {
    const open = await tx
      .selectFrom('export_run')
      .select('id')
      .where('org_id', '=', grant.orgId)
      .where('finished_ms', 'is', null)
      .executeTakeFirst()
    if (open)
      throw new SondeError('conflict', `export ${open.id} of ${grant.orgSlug} is on its way already`, {
        operation: 'export an organization',
        subject: grant.orgSlug,
        hint: 'wait for its end, or cancel it',
      })
    const { id } = await tx
      .insertInto('export_run')
      .values({
        org_id: grant.orgId,
        actor: actorOf(grant.viewer),
        place,
        folder: place === '' ? exportFolder(grant.orgSlug, atMs) : '',
        requested_ms: atMs,
        next_try_ms: atMs,
        until_ms: null,
        finished_ms: null,
        removed_ms: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'export.request',
      subject: grant.orgSlug,
      detail: { export: id },
      atMs,
    })
    return { id }
  })
  onExport?.()
  return requested
}

/** Of one that is over it changes nothing. What it wrote stays where it is. Throws `not-found`. */
export async function cancelExport(
  { records, clock, onExport }: Deps,
  grant: OwnerGrant,
  id: number,
): Promise<void> {
  const atMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    const run = await tx
      .selectFrom('export_run')
      .select(['id', 'finished_ms'])
      .where('org_id', '=', grant.orgId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!run)
      throw new SondeError('not-found', `there is no export ${id} of ${grant.orgSlug}`, {
        operation: 'cancel an export',
      })
    if (run.finished_ms !== null) return
    await tx
      .updateTable('export_run')
      .set({ state: 'cancelled', finished_ms: atMs })
      .where('id', '=', id)
      .execute()
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'export.cancel',
      subject: grant.orgSlug,
      detail: { export: id },
      atMs,
    })
  })
  onExport?.()
}
