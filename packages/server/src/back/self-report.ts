/**
 * Sonde's own screens report to Sonde: which project takes it, and whether they may. The project is made once, in the
 * owner's organization; an operator switches it off on the status page, `SONDE_SELF_REPORT=off` for good. Everybody who
 * signs in gets its key, so the key has a limit.
 */
import { operatorViewer } from '@sonde/access'
import { type Bus, type Logger, steadyMs } from '@sonde/base'
import { type CommandDeps, ensureProject } from '@sonde/commands'
import { dsnFor } from '@sonde/queries'
import type { Records } from '@sonde/stores'
import type { SelfReportPart, SelfReportState } from '@sonde/web/server'
import type { Config } from '../config/config.ts'
import { VERSION } from '../version.ts'

const SLUG = 'sonde'
/** Id of the project, so that one that somebody deleted is not made again. */
const PROJECT_SETTING = 'self_report_project'
const SWITCH_SETTING = 'self_report'
/** Id of the key that was given its limit, so that one that somebody took off does not come back. */
const LIMITED_SETTING = 'self_report_limited_key'

/**
 * Of each category. A page reports at most ten errors a minute, and a visit to a screen is one transaction with some
 * spans: fifty people at once stay below it, a script that took the key does not fill the disk.
 */
const KEY_LIMIT = { rate_limit_count: 600, rate_limit_window_sec: 60 }

/** Other nodes have the switch too: their change is read when the bus says so, else with the second page after this time. */
const READ_AGAIN_MS = 10_000

export type SelfReportDeps = Pick<CommandDeps, 'records' | 'access' | 'clock'> & {
  readonly bus: Bus
  readonly logger: Logger
}

export async function openSelfReport(deps: SelfReportDeps, config: Config): Promise<SelfReportPart> {
  const { records, clock, bus, logger } = deps
  if (config.selfReport === 'off') return switchedOff('setting')
  if (config.selfReport === 'reachable') return switchedOff('reachable')
  const projectId = await projectOf(deps)
  if (projectId === undefined) return switchedOff('no-project')
  const readSwitch = async () => (await read(records, SWITCH_SETTING)) !== 'off'
  let isOn = await readSwitch()
  let readMs = steadyMs(clock)
  const found = await findKey(records, projectId)
  if (!found) return switchedOff('no-project')
  await limitKey(records, found.keyId)
  const dsn = dsnFor(config.publicUrl, found.publicKey, projectId)
  const readAgain = (): void => {
    readMs = steadyMs(clock)
    void readSwitch().then(
      (now) => (isOn = now),
      (error: unknown) => logger.warn({ err: error }, 'a setting could not be read'),
    )
  }
  bus.subscribe('setting.changed', ({ name }) => name === SWITCH_SETTING && readAgain())
  bus.onConnect(readAgain)
  return {
    state: () => ({ kind: isOn ? 'on' : 'off', project: found.project, org: found.org }),
    forPages() {
      if (steadyMs(clock) - readMs >= READ_AGAIN_MS) readAgain()
      return isOn ? { dsn, release: `sonde@${VERSION}` } : undefined
    },
    async set(wanted) {
      await write(records, SWITCH_SETTING, wanted ? 'on' : 'off')
      isOn = wanted
      bus.publish('setting.changed', { name: SWITCH_SETTING })
    },
  }
}

function switchedOff(kind: Exclude<SelfReportState['kind'], 'on' | 'off'>): SelfReportPart {
  return { state: () => ({ kind }), forPages: () => undefined, set: () => Promise.resolve() }
}

/** Undefined when somebody deleted it, or nobody has an organization yet. */
async function projectOf(
  deps: Pick<CommandDeps, 'records' | 'access' | 'clock'>,
): Promise<number | undefined> {
  const { records } = deps
  const known = await read(records, PROJECT_SETTING)
  if (known !== undefined) return Number(known)
  const owned = await records
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.org_id')
    .select('organization.slug')
    .where('member.role', '=', 'owner')
    .orderBy('organization.id')
    .executeTakeFirst()
  if (!owned) return undefined
  const { id } = await ensureProject(deps, operatorViewer, {
    org: owned.slug,
    slug: SLUG,
    name: 'Sonde',
    platform: 'javascript-react',
  })
  await write(records, PROJECT_SETTING, String(id))
  return id
}

async function findKey(records: Records, projectId: number) {
  return records
    .selectFrom('project')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .innerJoin('project_key', 'project_key.project_id', 'project.id')
    .select(['project.slug as project', 'organization.slug as org'])
    .select(['project_key.id as keyId', 'project_key.public_key as publicKey'])
    .where('project.id', '=', projectId)
    .where('project_key.is_active', '=', 1)
    .orderBy('project_key.id')
    .executeTakeFirst()
}

/** Of a key that has none yet, once. */
async function limitKey(records: Records, keyId: number): Promise<void> {
  if ((await read(records, LIMITED_SETTING)) === String(keyId)) return
  await records
    .updateTable('project_key')
    .set(KEY_LIMIT)
    .where('id', '=', keyId)
    .where('rate_limit_count', 'is', null)
    .execute()
  await write(records, LIMITED_SETTING, String(keyId))
}

async function read(records: Records, name: string): Promise<string | undefined> {
  const row = await records.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

async function write(records: Records, name: string, value: string): Promise<void> {
  await records
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
