/** How long and how much a project keeps of each kind of data. In force with the next sweep, within the hour. */
import type { Grant } from '@sonde/access'
import {
  isStorageKind,
  RETENTION_LIMITS,
  type RetentionRule,
  STORAGE_KIND_NAMES,
  type StorageKind,
  storageKindInfo,
  writeTransaction,
} from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { readInput } from './fields.ts'

const { leastDays, mostDays, leastBytes, mostBytes } = RETENTION_LIMITS
const DAYS = `is a whole number of days from ${leastDays} to ${mostDays}`
const BYTES = `is a whole number of bytes from ${leastBytes} (1 MB) to ${mostBytes}`

const ruleField = z
  .object({
    keepDays: z.int(DAYS).min(leastDays, DAYS).max(mostDays, DAYS).nullable(),
    maxBytes: z.int(BYTES).min(leastBytes, BYTES).max(mostBytes, BYTES).nullable(),
  })
  .strict()

const hasRule = (kind: StorageKind): boolean => storageKindInfo(kind).rule === 'yes'
const RULES = z.object({
  rules: z
    .object(
      Object.fromEntries(STORAGE_KIND_NAMES.filter(hasRule).map((kind) => [kind, ruleField.optional()])),
    )
    .strict(),
})

export type RetentionRules = Readonly<Partial<Record<StorageKind, RetentionRule>>>

/** Of anything that somebody sent. Errors are named `rules.KIND.keepDays`, or `rules`. Throws `InvalidInput`. */
export function readRetention(input: unknown): RetentionRules {
  const { rules } = readInput('change the data retention', RULES, { rules: input })
  return Object.fromEntries(Object.entries(rules).filter(([kind, rule]) => isStorageKind(kind) && rule))
}

/** Kinds that are not named stay as they are; both null: the rule of the kind goes. Throws `InvalidInput`. */
export async function updateRetention(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'project:write', 'project'>,
  input: unknown,
): Promise<void> {
  const rules = readRetention(input)
  await writeTransaction(records, async (tx) => {
    for (const [kind, { keepDays, maxBytes }] of Object.entries(rules) as [StorageKind, RetentionRule][]) {
      if (keepDays === null && maxBytes === null) {
        await tx
          .deleteFrom('retention_rule')
          .where('project_id', '=', grant.projectId)
          .where('kind', '=', kind)
          .execute()
        continue
      }
      const row = { keep_days: keepDays, max_bytes: maxBytes }
      await tx
        .insertInto('retention_rule')
        .values({ project_id: grant.projectId, kind, ...row })
        .onConflict((on) => on.columns(['project_id', 'kind']).doUpdateSet(row))
        .execute()
    }
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'project.retention',
      subject: nameOf(grant),
      detail: rules,
      atMs: clock.nowMs(),
    })
  })
}
