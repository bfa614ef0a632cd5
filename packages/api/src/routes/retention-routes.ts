/** How long and how much a project keeps of each kind of data. Sentry has no such address: docs/operate/retention.md. */
import { readRetention, updateRetention } from '@sonde/commands'
import { projectRetention, type ProjectRetention } from '@sonde/queries'
import { STORAGE_KIND_NAMES, storageKindInfo } from '@sonde/stores'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { Time } from '../serializers/date.ts'
import { takenByName } from '../taken.ts'

const PATH = '/projects/:org/:project/retention'

const Retention = z
  .object({
    installationDays: z.number().nullable().meta({ description: 'Of this Sonde; null: forever.' }),
    measured: Time.nullable(),
    nextSweep: Time.nullable(),
    deleted: z.object({ rows: z.number(), bytes: z.number() }),
    kinds: z.array(
      z.object({
        kind: z.string().meta({ description: '`events`, `spans`, `logs`, …' }),
        keepDays: z.int().nullable().meta({ description: 'Null: no rule.' }),
        maxBytes: z.int().nullable().meta({ description: 'Null: no rule.' }),
        rows: z.number(),
        bytes: z.number(),
        oldest: Time.nullable(),
        deleted: z
          .object({ before: Time.nullable(), rows: z.number(), bytes: z.number() })
          .nullable()
          .meta({ description: 'What goes by the rule.' }),
      }),
    ),
  })
  .meta({ id: 'Retention' })

const Rule = z.object({
  keepDays: z.int().nullable().meta({ description: 'Null: as long as this Sonde keeps data.' }),
  maxBytes: z.int().nullable().meta({ description: 'Null: without a bound.' }),
})
const RULED = STORAGE_KIND_NAMES.filter((kind) => storageKindInfo(kind).rule === 'yes')
const Rules = takenByName(
  z.object(Object.fromEntries(RULED.map((kind) => [kind, Rule.optional()]))),
  'By kind. Kinds that are left out stay as they are.',
)

export function retentionRoutes(api: Api, { queries, commands }: ApiOptions): void {
  const common = { tag: 'Data', answer: Retention } as const
  api.get(
    PATH,
    {
      ...common,
      id: 'getRetention',
      summary: 'Read how long and how much a project keeps',
      permission: 'project:read',
    },
    async ({ grant }) => retentionJson(await projectRetention(queries, grant)),
  )

  api.put(
    PATH,
    {
      ...common,
      id: 'updateRetention',
      summary: 'Change how long and how much a project keeps',
      permission: 'project:write',
      body: Rules,
    },
    async ({ grant, body }) => {
      await updateRetention(commands, grant, body)
      return retentionJson(await projectRetention(queries, grant))
    },
  )

  api.post(
    `${PATH}/preview`,
    {
      ...common,
      id: 'previewRetention',
      summary: 'Ask what would go by other rules',
      description: 'Changes nothing.',
      permission: 'project:write',
      body: Rules,
    },
    async ({ grant, body }) => retentionJson(await projectRetention(queries, grant, readRetention(body))),
  )
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
