/** Which monitors a status page shows, under which names, in which groups and order. */
import { STATUS_LIMITS } from '@sonde/alerts'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, neededTextField, readInput, textField } from '../fields.ts'
import { auditStatus, pageOf, type StatusGrant } from './change-page.ts'

const COMPONENTS = z.object({
  components: z
    .array(
      z.object({
        kind: z.enum(['uptime', 'cron']),
        monitorId: z.int().positive(),
        /** Of a cron monitor: the environment that counts; empty: all. */
        environment: z.string().max(64).default(''),
        /** What the public reads. */
        name: neededTextField(STATUS_LIMITS.nameChars),
        group: textField(STATUS_LIMITS.nameChars).default(''),
      }),
    )
    .max(STATUS_LIMITS.components, `a page shows at most ${STATUS_LIMITS.components} components`),
})
export type StatusComponentsInput = z.input<typeof COMPONENTS>
type Component = z.output<typeof COMPONENTS>['components'][number]

/**
 * In this order, instead of those of before. One that stays keeps what was posted about it; open incidents of monitors that are not
 * shown any more leave the page. Throws `InvalidInput`, `SondeError` (`not-found`).
 */
export async function chooseStatusComponents(
  deps: CommandDeps,
  grant: StatusGrant,
  input: StatusComponentsInput,
): Promise<void> {
  const operation = 'choose what the status page shows'
  const { components } = readInput(operation, COMPONENTS, input)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { id: pageId } = await pageOf(tx, grant, operation)
    const fields: Record<string, string[]> = {}
    for (const [index, component] of components.entries()) {
      if (!(await isOwn(tx, grant, component)))
        fields[`components.${index}.monitorId`] = ['is no monitor of this organization']
      const isTwice = components.findIndex((other) => keyOf(other) === keyOf(component)) < index
      if (isTwice) fields[`components.${index}.monitorId`] = ['is shown already']
    }
    if (Object.keys(fields).length > 0) throw new InvalidInput(operation, fields)
    const before = await tx
      .selectFrom('status_component')
      .select(['id', 'uptime_monitor_id', 'cron_monitor_id', 'environment'])
      .where('page_id', '=', pageId)
      .execute()
    const known = new Map(
      before.map((row) => [
        `${row.uptime_monitor_id === null ? 'cron' : 'uptime'} ${row.uptime_monitor_id ?? row.cron_monitor_id} ${row.environment}`,
        row.id,
      ]),
    )
    for (const [position, component] of components.entries()) {
      const shown = { name: component.name, group_name: component.group, position }
      const id = known.get(keyOf(component))
      known.delete(keyOf(component))
      if (id !== undefined) await tx.updateTable('status_component').set(shown).where('id', '=', id).execute()
      else
        await tx
          .insertInto('status_component')
          .values({
            page_id: pageId,
            uptime_monitor_id: component.kind === 'uptime' ? component.monitorId : null,
            cron_monitor_id: component.kind === 'cron' ? component.monitorId : null,
            environment: component.environment,
            ...shown,
          })
          .execute()
    }
    if (known.size > 0) {
      await tx
        .deleteFrom('status_component')
        .where('id', 'in', [...known.values()])
        .execute()
      await leavePage(tx, pageId, atMs)
    }
    await tx.updateTable('status_page').set({ updated_ms: atMs }).where('id', '=', pageId).execute()
    await auditStatus(tx, grant, 'status.components', { shown: components.map(({ name }) => name) }, atMs)
  })
}

const keyOf = ({ kind, monitorId, environment }: Component): string =>
  `${kind} ${monitorId} ${kind === 'cron' ? environment : ''}`

async function isOwn(
  tx: Records,
  { orgId }: StatusGrant,
  { kind, monitorId, environment }: Component,
): Promise<boolean> {
  if (kind === 'uptime' && environment !== '') return false
  const table = kind === 'uptime' ? ('uptime_monitor' as const) : ('cron_monitor' as const)
  const row = await tx
    .selectFrom(table)
    .innerJoin('project', 'project.id', `${table}.project_id`)
    .select('project.id')
    .where(`${table}.id`, '=', monitorId)
    .where('project.org_id', '=', orgId)
    .executeTakeFirst()
  return row !== undefined
}

/** What monitors told that no component is left of. */
async function leavePage(tx: Records, pageId: number, atMs: number): Promise<void> {
  await tx
    .updateTable('status_incident')
    .set({ is_hidden: 1, state: 'resolved', ended_ms: atMs })
    .where('page_id', '=', pageId)
    .where('ended_ms', 'is', null)
    .where('source_incident_id', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('status_affected')
            .select('component_id')
            .whereRef('status_affected.incident_id', '=', 'status_incident.id'),
        ),
      ),
    )
    .execute()
}
