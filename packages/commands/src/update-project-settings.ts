/** Inbound filters, scrubbing rules, rate limit and allowed domains of a project. In force for new events within about a second. */
import type { Viewer } from '@sonde/access'
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
import type { ProjectInput } from './create-key.ts'
import { refField } from './fields.ts'
import { readInput } from './invalid-input.ts'
import { rateLimitColumns, rateLimitField, type RateLimitInput } from './rate-limit-field.ts'
import { allowedDomainList, fieldNameList, globList } from './rule-lists.ts'

const PROJECT = { org: refField, project: refField }
const FILTERS = z.object({
  ...PROJECT,
  browserExtensions: z.boolean(),
  localhost: z.boolean(),
  crawlers: z.boolean(),
  releases: globList,
  messages: globList,
})

/**
 * Replaces all filters. Errors name the fields of `FilterRules`. Permission `project:write`. Throws `InvalidInput`,
 * `SondeError` (`not-found`, `forbidden`).
 */
export async function updateProjectFilters(
  deps: CommandDeps,
  viewer: Viewer,
  input: ProjectInput & FilterRules,
): Promise<FilterRules> {
  const { org, project, ...filters } = readInput('change the filters', FILTERS, input)
  await changeSettings(deps, viewer, { org, project, action: 'project.filters' }, (settings) => ({
    ...settings,
    filters,
  }))
  return filters
}

const SCRUB = z.object({
  ...PROJECT,
  enabled: z.boolean(),
  scrubIp: z.boolean(),
  sensitiveFields: fieldNameList,
  safeFields: fieldNameList,
})

/** Replaces all scrubbing rules; events that are stored already stay as they are. Otherwise like the filters. */
export async function updateProjectScrubbing(
  deps: CommandDeps,
  viewer: Viewer,
  input: ProjectInput & ScrubRules,
): Promise<ScrubRules> {
  const { org, project, ...scrub } = readInput('change the scrubbing rules', SCRUB, input)
  await changeSettings(deps, viewer, { org, project, action: 'project.scrubbing' }, (settings) => ({
    ...settings,
    scrub,
  }))
  return scrub
}

const LIMIT = z.object({ ...PROJECT, rateLimit: rateLimitField })

/** Of all the project's keys together, each category on its own. Otherwise like the filters. */
export async function setProjectRateLimit(
  deps: CommandDeps,
  viewer: Viewer,
  input: ProjectInput & { readonly rateLimit: RateLimitInput },
): Promise<void> {
  const { org, project, rateLimit } = readInput('change the rate limit', LIMIT, input)
  const action = 'project.rate-limit'
  const columns = rateLimitColumns(rateLimit)
  await changeColumns(deps, viewer, { org, project, action }, () => columns, { rateLimit })
}

const DOMAINS = z.object({ ...PROJECT, allowedDomains: allowedDomainList })

/**
 * Domains whose pages may send, entries as `parseAllowedDomain` reads them; none: all. Returns what is in force.
 * Otherwise like the filters.
 */
export async function setAllowedDomains(
  deps: CommandDeps,
  viewer: Viewer,
  input: ProjectInput & { readonly allowedDomains: readonly string[] },
): Promise<readonly string[]> {
  const { org, project, allowedDomains } = readInput('change the allowed domains', DOMAINS, input)
  const stored = allowedDomains.length === 0 ? null : JSON.stringify(allowedDomains)
  const action = 'project.allowed-domains'
  const columns = { allowed_domains: stored }
  await changeColumns(deps, viewer, { org, project, action }, () => columns, { allowedDomains })
  return allowedDomains
}

type DoorColumns = Partial<Omit<Selectable<ProjectSettingTable>, 'project_id' | 'value' | 'updated_ms'>>

/** What the door reads with the keys, hence columns and not a part of the settings' JSON. */
export async function changeColumns(
  deps: CommandDeps,
  viewer: Viewer,
  { org, project, action }: Change,
  changed: (tx: Records, projectId: number, atMs: number) => DoorColumns | Promise<DoorColumns>,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const scope = await deps.access.openProject(viewer, org, project, 'project:write')
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const columns = { ...(await changed(tx, scope.projectId, atMs)), updated_ms: atMs }
    await tx
      .insertInto('project_setting')
      .values({ project_id: scope.projectId, value: '{}', ...rateLimitColumns(null), ...columns })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet(columns))
      .execute()
    await writeAudit(tx, {
      orgId: scope.orgId,
      viewer,
      action,
      subject: `${scope.orgSlug}/${scope.projectSlug}`,
      detail,
      atMs,
    })
  })
}

export type Change = ProjectInput & { readonly action: string }

/** Reads and writes within one transaction: two people who save different sections both keep theirs. */
export async function changeSettings(
  deps: CommandDeps,
  viewer: Viewer,
  { org, project, action }: Change,
  change: (settings: ProjectSettings) => ProjectSettings,
): Promise<void> {
  const scope = await deps.access.openProject(viewer, org, project, 'project:write')
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const before = await readSettings(tx, scope.projectId)
    // In the order of the defaults, or the same rules would not be the same text.
    const after = projectSettingsFrom(change(before))
    const value = JSON.stringify(after)
    if (value === JSON.stringify(before)) return
    await tx
      .insertInto('project_setting')
      .values({
        project_id: scope.projectId,
        value,
        ...rateLimitColumns(null),
        updated_ms: atMs,
      })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ value, updated_ms: atMs }))
      .execute()
    await writeAudit(tx, {
      orgId: scope.orgId,
      viewer,
      action,
      subject: `${scope.orgSlug}/${scope.projectSlug}`,
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
