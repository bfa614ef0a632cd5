/** Monitors of scheduled jobs: each environment's state, last runs and next one. */
import { mayAlso } from '@sonde/access'
import { readCronConfig, scheduleWords } from '@sonde/alerts'
import { cronMonitors, lastCronRuns } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { environmentsOf } from '../../../../shell/time-range.ts'
import { checkInDoor } from './check-in-door.server.ts'
import { shownEnvironment, worseFirst } from './cron-words.ts'

/** More of a monitor are on its own page. */
const SHOWN_ENVIRONMENTS = 5
const SHOWN_RUNS = 30

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries } = args.context
  const grant = await projectGrant(args, 'alert:read')
  const chosen = environmentsOf(args.url.searchParams)
  const rows = await cronMonitors(queries, grant)
  const monitors = rows
    .map(({ id, slug, name, config, isEnabled, isMuted, environments }) => {
      const own = environments.filter((each) => chosen.length === 0 || chosen.includes(each.name))
      const shown = own.map(shownEnvironment).toSorted(worseFirst)
      return {
        id,
        slug,
        name,
        isEnabled,
        isMuted,
        schedule: scheduleWords(readCronConfig(config)),
        environments: shown.slice(0, SHOWN_ENVIRONMENTS),
        more: Math.max(0, shown.length - SHOWN_ENVIRONMENTS),
      }
    })
    .filter(({ environments }) => chosen.length === 0 || environments.length > 0)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
  const environmentIds = monitors.flatMap(({ environments }) => environments.map(({ id }) => id))
  const last = await lastCronRuns(queries, grant, { environmentIds, limit: SHOWN_RUNS })
  return {
    mayWrite: mayAlso(grant, 'alert:write'),
    hasMonitors: rows.length > 0,
    runs: Object.fromEntries([...last].map(([id, runs]) => [id, runs.map(({ status }) => status)])),
    places: SHOWN_RUNS,
    monitors,
    door: rows.length === 0 ? await checkInDoor(args, grant) : undefined,
  }
}

/** What fails first, what is disabled last; within each by name. */
const placeOf = ({
  isEnabled,
  environments,
}: {
  readonly isEnabled: boolean
  readonly environments: readonly { readonly isFailing: boolean }[]
}): number => (!isEnabled ? 2 : environments.some(({ isFailing }) => isFailing) ? 0 : 1)
