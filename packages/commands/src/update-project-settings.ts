/** Inbound filters, scrubbing rules, rate limit and allowed domains of a project. In force for new events within about a second. */
import type { Grant } from '@sonde/access'
import {
  type FilterRules,
  type ProjectSettings,
  projectSettingsFrom,
  type ProjectSettingTable,
  readProjectSettings,
  type Records,
  type ScrubRules,
  type Selectable,
  writeTransaction,
} from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { readInput } from './invalid-input.ts'
import { rateLimitColumns, rateLimitField, type RateLimitInput } from './rate-limit-field.ts'
import { allowedDomainList, fieldNameList, globList } from './rule-lists.ts'

const FILTERS = z.object({
  browserExtensions: z.boolean(),
  localhost: z.boolean(),
  crawlers: z.boolean(),
  releases: globList,
  messages: globList,
})

/**
 * Replaces all filters. Errors name the fields of `FilterRules`. Throws `InvalidInput`.
 */
export async function updateProjectFilters(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: FilterRules,
): Promise<FilterRules> {
  const filters = readInput('change the filters', FILTERS, input)
  await changeSettings(deps, grant, 'project.filters', (settings) => ({
    ...settings,
    filters,
  }))
  return filters
}

const SCRUB = z.object({
  enabled: z.boolean(),
  scrubIp: z.boolean(),
  sensitiveFields: fieldNameList,
  safeFields: fieldNameList,
})

/** Replaces all scrubbing rules; events that are stored already stay as they are. Otherwise like the filters. */
export async function updateProjectScrubbing(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: ScrubRules,
): Promise<ScrubRules> {
  const scrub = readInput('change the scrubbing rules', SCRUB, input)
  await changeSettings(deps, grant, 'project.scrubbing', (settings) => ({
    ...settings,
    scrub,
  }))
  return scrub
}

const LIMIT = z.object({ rateLimit: rateLimitField })

/** Of all the project's keys together, each category on its own. Otherwise like the filters. */
export async function setProjectRateLimit(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: { readonly rateLimit: RateLimitInput },
): Promise<void> {
  const { rateLimit } = readInput('change the rate limit', LIMIT, input)
  const action = 'project.rate-limit'
  const columns = rateLimitColumns(rateLimit)
  await changeColumns(deps, grant, action, () => columns, { rateLimit })
}

const DOMAINS = z.object({ allowedDomains: allowedDomainList })

/**
 * Domains whose pages may send, entries as `parseAllowedDomain` reads them; none: all. Returns what is in force.
 * Otherwise like the filters.
 */
export async function setAllowedDomains(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: { readonly allowedDomains: readonly string[] },
): Promise<readonly string[]> {
  const { allowedDomains } = readInput('change the allowed domains', DOMAINS, input)
  const stored = allowedDomains.length === 0 ? null : JSON.stringify(allowedDomains)
  const action = 'project.allowed-domains'
  const columns = { allowed_domains: stored }
  await changeColumns(deps, grant, action, () => columns, { allowedDomains })
  return allowedDomains
}

type DoorColumns = Partial<Omit<Selectable<ProjectSettingTable>, 'project_id' | 'value' | 'updated_ms'>>

/** What the door reads with the keys, hence columns and not a part of the settings' JSON. */
export async function changeColumns(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  action: string,
  changed: (tx: Records, projectId: number, atMs: number) => DoorColumns | Promise<DoorColumns>,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const columns = { ...(await changed(tx, grant.projectId, atMs)), updated_ms: atMs }
    await tx
      .insertInto('project_setting')
      .values({ project_id: grant.projectId, value: '{}', ...rateLimitColumns(null), ...columns })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet(columns))
      .execute()
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action,
      subject: `${grant.orgSlug}/${grant.projectSlug}`,
      detail,
      atMs,
    })
  })
}

/** Reads and writes within one transaction: two people who save different sections both keep theirs. */
export async function changeSettings(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  action: string,
  change: (settings: ProjectSettings) => ProjectSettings,
): Promise<void> {
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const before = await readSettings(tx, grant.projectId)
    // In the order of the defaults, or the same rules would not be the same text.
    const after = projectSettingsFrom(change(before))
    const value = JSON.stringify(after)
    if (value === JSON.stringify(before)) return
    await tx
      .insertInto('project_setting')
      .values({
        project_id: grant.projectId,
        value,
        ...rateLimitColumns(null),
        updated_ms: atMs,
      })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ value, updated_ms: atMs }))
      .execute()
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action,
      subject: `${grant.orgSlug}/${grant.projectSlug}`,
      // What it was is the only way back.
      detail: { before, after },
      atMs,
    })
  })
}

async function readSettings(tx: Records, projectId: number): Promise<ProjectSettings> {
  const row = await tx
    .selectFrom('project_setting')
    .select('value')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return readProjectSettings(row?.value)
}
