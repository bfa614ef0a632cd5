/** Checks at once, for who looks: the answer is shown and changes nothing. */
import { actorOf, type Grant } from '@sonde/access'
import {
  checkMonitor,
  openSecretHeaders,
  UPTIME_MONITOR,
  type UptimeCheck,
  type UptimeMonitorInput,
} from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import type { Records } from '@sonde/stores'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput } from '../fields.ts'
import { createPostLimit } from '../post-limit.ts'
import { monitorOf, readChanged, type ReadMonitor, readMonitor } from './change-monitor.ts'

type WriteGrant = Grant<'alert:write', 'project'>

/** Of one person: requests to others go out by each. */
const CHECKS_A_MINUTE = 20
const limits = new WeakMap<Records, ReturnType<typeof createPostLimit>>()

/** Of one that is stored, as it is. Throws `SondeError` (`not-found`; `unavailable`: too many). */
export async function checkNow(
  deps: CommandDeps,
  grant: WriteGrant,
  monitorId: number,
): Promise<UptimeCheck> {
  const operation = 'check an uptime monitor'
  const row = await monitorOf(deps.records, grant, operation, monitorId)
  const monitor = UPTIME_MONITOR.parse(JSON.parse(row.value))
  const secrets = await openSecretHeaders(deps.access.seal, row.secret)
  return check(deps, grant, operation, { monitor, secrets })
}

/** Of a form. `monitorId`: whose secret headers it keeps. Throws `InvalidInput`, `SondeError` as `checkNow`. */
export async function tryMonitor(
  deps: CommandDeps,
  grant: WriteGrant,
  input: UptimeMonitorInput,
  monitorId?: number,
): Promise<UptimeCheck> {
  const operation = 'check an address'
  const read =
    monitorId === undefined
      ? readMonitor(operation, input)
      : await readChanged(deps, grant, operation, monitorId, input)
  return check(deps, grant, operation, read)
}

async function check(
  { records, clock, trackers }: CommandDeps,
  grant: WriteGrant,
  operation: string,
  { monitor, secrets }: ReadMonitor,
): Promise<UptimeCheck> {
  if (!trackers) throw new SondeError('unavailable', 'this process sends no requests', { operation })
  let waitFor = limits.get(records)
  if (!waitFor)
    limits.set(
      records,
      (waitFor = createPostLimit({ postsAMinute: CHECKS_A_MINUTE, nowMs: () => clock.nowMs() })),
    )
  const waitSec = waitFor(actorOf(grant.viewer))
  if (waitSec > 0)
    throw new InvalidInput(operation, { url: [`that was many checks: try again in ${waitSec} s`] })
  return checkMonitor(trackers.outgoing, monitor, secrets, clock.nowMs())
}
