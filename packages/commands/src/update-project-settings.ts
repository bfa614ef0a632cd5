/** Inbound filters, scrubbing rules, rate limit and allowed domains of a project. In force for new events within about a second. */
import type { Grant } from '@sonde/access'
import { NOISE_ACTIONS, NOISE_CLASSES } from '@sonde/protocol/noise'
import {
  type AuditAction,
  type FilterRules,
  FULL_PER_DAY_LIMITS,
  MAX_SAMPLING_RULES,
  MIN_SAMPLING_RATE,
  type NoiseSettings,
  type ProjectSettings,
  projectSettingsFrom,
  type ProjectSettingTable,
  readProjectSettings,
  type Records,
  refusedUntilMs,
  samplingRuleName,
  type SamplingRules,
  type ScrubRules,
  type Selectable,
  SPAN_CAP_PERIODS,
  type SpanCap,
  writeTransaction,
} from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { rateLimitColumns, rateLimitField, type RateLimitInput, readInput } from './fields.ts'
import { allowedDomainList, fieldNameList, globList } from './rule-lists.ts'

// Which traces of a project are stored, and how many spans at most. In force for what arrives within about a second.

/** The rules of sampling and the caps of spans, as people send them. */
const MAX_ROUTE_CHARS = 200
const MAX_WORD_CHARS = 64

const pattern = (what: string, maxChars: number) =>
  z.string().trim().max(maxChars, `${what} has at most ${maxChars} characters`)

const SMALLEST = `${MIN_SAMPLING_RATE * 100}`
const SHARE = `is a share from ${SMALLEST} to 100 percent, or 0 to drop all`

const ruleField = z.object({
  route: pattern('a route', MAX_ROUTE_CHARS),
  op: pattern('an op', MAX_WORD_CHARS),
  release: pattern('a release', MAX_ROUTE_CHARS),
  environment: pattern('an environment', MAX_WORD_CHARS),
  rate: z.number(SHARE).refine((rate) => rate === 0 || (rate >= MIN_SAMPLING_RATE && rate <= 1), SHARE),
})

/** A rule that stands below one with the same patterns is never asked. */
const samplingRulesField = z
  .array(ruleField)
  .max(MAX_SAMPLING_RULES, `at most ${MAX_SAMPLING_RULES} rules`)
  .check(({ value, issues }) => {
    const names = value.map((rule) => samplingRuleName({ ...rule, rate: 0 }))
    for (const [index, name] of names.entries()) {
      const first = names.indexOf(name)
      if (first === index) continue
      const message = `is the same as rule ${first + 1}, which decides before it`
      issues.push({ code: 'custom', message, path: [index, 'route'], input: name })
    }
  })

// More than any disk that Sonde was measured on.
const MAX_SPANS = 1_000_000_000_000
const spansField = z
  .int('is a whole number of spans')
  .min(1, 'is at least 1; a rule of sampling that keeps 0 percent drops all')
  .max(MAX_SPANS, `allows at most ${MAX_SPANS} spans`)

/** Null: no cap. */
const spanCapField = z.object({ count: spansField, period: z.enum(SPAN_CAP_PERIODS) }).nullable()
const minuteCapField = spansField.nullable()

const SAMPLING = z.object({ rules: samplingRulesField, sampleMeasured: z.boolean() })

/**
 * Replaces all rules, in their order: the first that matches decides. Errors name a rule's field as `rules.0.route`. Throws
 * `InvalidInput`.
 */
export async function updateProjectSampling(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: SamplingRules,
): Promise<SamplingRules> {
  const sampling = readInput('change the sampling rules', SAMPLING, input)
  await changeSettings(deps, grant, 'project.sampling', (settings) => ({
    ...settings,
    sampling,
  }))
  return sampling
}

const CAPS = z.object({ cap: spanCapField, perMinute: minuteCapField })

export type SpanCapsInput = {
  /** Null: no cap. */
  readonly cap: SpanCap | null
  /** Spans that ingest accepts in a minute. */
  readonly perMinute: number | null
}

/**
 * What the project stored already counts: a cap below it refuses spans at once, one above it accepts them again.
 * Otherwise like the rules.
 */
export async function setSpanCaps(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: SpanCapsInput,
): Promise<void> {
  const { cap, perMinute } = readInput('change the caps of spans', CAPS, input)
  const action = 'project.span-caps'
  await changeColumns(
    deps,
    grant,
    action,
    async (tx, projectId, atMs) => ({
      span_cap_count: cap?.count ?? null,
      span_cap_period: cap?.period ?? null,
      span_minute_cap: perMinute,
      spans_refused_until_ms: cap === null ? null : await refusedUntilMs(tx, projectId, cap, atMs),
    }),
    { cap, perMinute },
  )
}

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

const { least, most } = FULL_PER_DAY_LIMITS
const FULL_PER_DAY = `is a whole number from ${least} to ${most}, or 0 to keep all of them`
const NOISE = z.object({
  actions: z.partialRecord(z.enum(NOISE_CLASSES), z.enum(NOISE_ACTIONS)),
  fullPerDay: z
    .int(FULL_PER_DAY)
    .refine((count) => count === 0 || (count >= least && count <= most), FULL_PER_DAY),
})

/** Replaces what is done with each class of noise, and from which count on issues are thinned. Otherwise like the filters. */
export async function updateProjectNoise(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: NoiseSettings,
): Promise<void> {
  const noise = readInput('change what is done with noise', NOISE, input)
  await changeSettings(deps, grant, 'project.noise', (settings) => ({ ...settings, noise }))
}

const NOISE_CHANGE = NOISE.partial().strict()

/**
 * The same in part: classes that are not named, and a number that is not given, stay as they are. `input` may be anything; `InvalidInput`
 * names `actions`, `fullPerDay`, or what there is not.
 */
export async function changeProjectNoise(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: unknown,
): Promise<void> {
  const { actions, fullPerDay } = readInput('change what is done with noise', NOISE_CHANGE, input)
  await changeSettings(deps, grant, 'project.noise', (settings) => ({
    ...settings,
    noise: {
      actions: { ...settings.noise.actions, ...actions },
      fullPerDay: fullPerDay ?? settings.noise.fullPerDay,
    },
  }))
}

const SCRUB = z.object({
  enabled: z.boolean(),
  scrubIp: z.boolean(),
  maskReplayTexts: z.boolean(),
  maskReplayInputs: z.boolean(),
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

const SPIKES = z.object({ isOn: z.boolean() })

/**
 * Whether events above the project's usual rate are sampled. Switched off, the spike that lasts is over: what comes from now on
 * is stored whole. Otherwise like the filters.
 */
export async function setSpikeProtection(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: { readonly isOn: boolean },
): Promise<void> {
  const { isOn } = readInput('change the spike protection', SPIKES, input)
  await changeColumns(
    deps,
    grant,
    'project.spike-protection',
    async (tx, projectId) => {
      if (!isOn)
        await tx
          .updateTable('spike')
          .set((eb) => ({ ended_ms: eb.ref('last_ms') }))
          .where('project_id', '=', projectId)
          .where('ended_ms', 'is', null)
          .execute()
      return { is_spike_protected: isOn ? 1 : 0 }
    },
    { isOn },
  )
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

/** What ingest reads with the keys, hence columns and not a part of the settings' JSON. */
async function changeColumns(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  action: AuditAction,
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

/** Of `project_setting.value`. Reads and writes within one transaction: two people who save different sections both keep theirs. */
export async function changeSettings(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  action: AuditAction,
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
