/**
 * Which settings hold for which records of the log. A batch that is repeated after a crash must be processed as it was
 * the first time, or its rows and its counts would tell two stories (guarantee G2); so settings hold from a position of
 * the log on, and that is written down before the first record is processed with them.
 * docs/decisions/0004-settings-and-repeats.md
 */
import type { Clock } from '@sonde/base'
import type { LogRecord } from '@sonde/log'
import type { DetectorRules } from '@sonde/protocol/performance-detectors'
import {
  DEFAULT_PROJECT_SETTINGS,
  FIRST_PARTITION,
  type GroupingRules,
  type NoiseSettings,
  type ProjectSettings,
  projectSettingsFrom,
  readProjectSettings,
  readVersion,
  type Records,
  type SamplingRules,
  writeTransaction,
} from '@sonde/stores'
import type { PipelinePosition } from '../commit/pipeline-state.ts'
import type { DeployedReleases } from '../noise/superseded.ts'
import { DEFAULT_SCRUB_SETTINGS, type ScrubSettings } from '../scrub/settings.ts'
import { type FilterSettings, NO_FILTERS } from '../stages/filter.ts'
import { readDeployedReleases } from './deployed-releases.ts'

/** What processing depends on besides the record. Plain data: it is handed to worker threads. */
export type ProcessingSettings = {
  /** Of the log; absent: the first. Its settings hold from positions of its own. */
  readonly logPartition?: number
  /** Older events get the time of their arrival, because the store would delete them at once. */
  readonly retentionDays: number
  /** For every project that has none of its own in `projects`. */
  readonly scrub: ScrubSettings
  readonly filters: FilterSettings
  readonly sampling: SamplingRules
  readonly grouping: GroupingRules
  readonly noise: NoiseSettings
  readonly detectors: DetectorRules
  /** By project id. */
  readonly projects?: Readonly<Record<string, ProjectSettings>>
  /** By project id; what was deployed when processing began to have these settings, a minute late at most. */
  readonly deployed?: Readonly<Record<string, DeployedReleases>>
}

export const DEFAULT_PROCESSING_SETTINGS: ProcessingSettings = {
  retentionDays: 90,
  scrub: DEFAULT_SCRUB_SETTINGS,
  filters: NO_FILTERS,
  sampling: DEFAULT_PROJECT_SETTINGS.sampling,
  grouping: DEFAULT_PROJECT_SETTINGS.grouping,
  noise: DEFAULT_PROJECT_SETTINGS.noise,
  detectors: DEFAULT_PROJECT_SETTINGS.detectors,
}

/** What holds for the events of one project. */
export function settingsOf(settings: ProcessingSettings, projectId: number): ProcessingSettings {
  const own = settings.projects?.[projectId]
  return own ? { ...settings, ...own } : settings
}

export type SettingsHistory = {
  /**
   * To be called before records from `position` on are processed: what people changed meanwhile holds for them. Looks
   * at most four times a second. `committed`: where everything before will never be processed again.
   */
  refresh(position: number, committed: number): Promise<void>
  /** In order, cut where the settings change. The same object for the same settings. */
  runs(records: readonly LogRecord[]): readonly SettingsRun[]
}
export type SettingsRun = { readonly settings: ProcessingSettings; readonly records: readonly LogRecord[] }

type Version = { readonly from: number; readonly text: string; readonly settings: ProcessingSettings }
type Needs = {
  readonly records: Records
  readonly clock: Clock
  readonly base: ProcessingSettings
  /** In the transaction that writes what holds from now on: throws when the partition is another process's. */
  readonly fence?: (tx: Records) => Promise<void>
}

const REFRESH_MS = 250
/** Deployments have no version to ask for: they are read. */
const DEPLOYED_REFRESH_MS = 60_000
const EMPTY = '{}'
/** Beside the ids of projects, in what is written down. */
const DEPLOYED = 'deployed'

export async function openSettingsHistory(
  { records, clock, base, fence = async () => undefined }: Needs,
  { position, inflight }: PipelinePosition,
): Promise<SettingsHistory> {
  const partition = base.logPartition ?? FIRST_PARTITION
  // What the last start read ahead and never committed may be processed anew; what is in flight may not.
  const fresh = inflight?.to ?? position
  const rows = await records
    .selectFrom('digest_settings')
    .selectAll()
    .where('log_partition', '=', partition)
    .where('from_position', '<', fresh)
    .orderBy('from_position')
    .execute()
  await records
    .deleteFrom('digest_settings')
    .where('log_partition', '=', partition)
    .where('from_position', '>=', fresh)
    .execute()
  const versionOf = (from: number, text: string): Version => ({
    from,
    text,
    settings: { ...base, ...parseSettings(text) },
  })
  // Before the first row nobody had changed anything.
  const first = versionOf(Number.NEGATIVE_INFINITY, EMPTY)
  let versions = [first, ...rows.map((row) => versionOf(row.from_position, row.value))]
  let version: number | undefined
  let checkedMs = Number.NEGATIVE_INFINITY
  let deployed: { readonly atMs: number; readonly releases: Record<string, DeployedReleases> } | undefined

  const change = async (from: number, text: string, committed: number): Promise<void> => {
    const kept = versions.filter((each) => each.from < from)
    const needed = kept.findLastIndex((each) => each.from <= committed)
    const oldest = kept[needed]?.from ?? from
    await writeTransaction(records, async (tx) => {
      await fence(tx)
      await tx
        .insertInto('digest_settings')
        .values({ log_partition: partition, from_position: from, value: text })
        .onConflict((conflict) =>
          conflict.columns(['log_partition', 'from_position']).doUpdateSet({ value: text }),
        )
        .execute()
      await tx
        .deleteFrom('digest_settings')
        .where('log_partition', '=', partition)
        .where('from_position', '<', oldest)
        .execute()
    })
    versions = [...kept.slice(Math.max(0, needed)), versionOf(from, text)]
  }

  const history: SettingsHistory = {
    async refresh(from, committed) {
      const nowMs = clock.nowMs()
      if (Math.abs(nowMs - checkedMs) < REFRESH_MS) return
      const found = await readVersion(records, 'settings')
      const isDue = !deployed || Math.abs(nowMs - deployed.atMs) >= DEPLOYED_REFRESH_MS
      if (found !== version || isDue) {
        if (isDue) deployed = { atMs: nowMs, releases: await readDeployedReleases(records, nowMs) }
        // Read after the version: a change in between is seen again at the next look, never missed.
        const text = settingsText(await readProjects(records), deployed?.releases)
        if (text !== versions.at(-1)?.text) await change(from, text, committed)
        version = found
      }
      checkedMs = nowMs
    },
    runs(list) {
      const runs: { settings: ProcessingSettings; records: LogRecord[] }[] = []
      for (const record of list) {
        const { settings } = versions.findLast(({ from }) => from <= record.position) ?? first
        const last = runs.at(-1)
        if (last?.settings === settings) last.records.push(record)
        else runs.push({ settings, records: [record] })
      }
      return runs
    },
  }
  await history.refresh(fresh, inflight?.from ?? position)
  return history
}

const DEFAULT_TEXT = JSON.stringify(DEFAULT_PROJECT_SETTINGS)

/** The projects that have settings of their own, in a fixed order. */
async function readProjects(records: Records): Promise<Readonly<Record<string, ProjectSettings>>> {
  const rows = await records
    .selectFrom('project_setting')
    .select(['project_id', 'value'])
    .orderBy('project_setting.project_id')
    .execute()
  const own = rows
    .map((row) => [row.project_id, readProjectSettings(row.value)] as const)
    .filter(([, settings]) => JSON.stringify(settings) !== DEFAULT_TEXT)
  return Object.fromEntries(own)
}

/** JSON, the same for the same. */
function settingsText(
  projects: Readonly<Record<string, ProjectSettings>>,
  deployed: Readonly<Record<string, DeployedReleases>> = {},
): string {
  return JSON.stringify({ ...projects, ...(Object.keys(deployed).length > 0 && { [DEPLOYED]: deployed }) })
}

function parseSettings(text: string): Pick<ProcessingSettings, 'projects' | 'deployed'> {
  const { [DEPLOYED]: deployed = {}, ...projects } = JSON.parse(text) as Record<string, unknown>
  return {
    projects: Object.fromEntries(
      Object.entries(projects).map(([id, settings]) => [id, projectSettingsFrom(settings)]),
    ),
    deployed: deployed as Readonly<Record<string, DeployedReleases>>,
  }
}
