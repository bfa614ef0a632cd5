/** What is known of the request that the shown event tells of: in its navigation, and of its endpoint in the last days. */
import type { Grant } from '@sonde/access'
import type { GroupingTrace, NormalizedEvent } from '@sonde/protocol/event'
import { pageDataFailures } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { ShownFailedRequest } from '../../../../../parts/event/failed-request-section.tsx'
import { failedRequestOf } from '../../../../../parts/event/failed-request.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

const DAYS = 14
const DAY_MS = 86_400_000
/** A failure is reported at most 8 s after its last attempt. */
const AROUND_MS = 2 * 60_000

export async function loadFailedRequest(
  { context: { queries, clock } }: LoadArgs<AppContext, 'org' | 'project' | 'issue'>,
  grant: Grant<'event:read', 'project'>,
  event: Pick<NormalizedEvent, 'contexts' | 'timestamp'>,
  grouping: GroupingTrace | undefined,
): Promise<ShownFailedRequest | undefined> {
  const failed = failedRequestOf(event, grouping)
  if (failed === undefined) return undefined
  const { endpoint } = failed
  const nowMs = clock.nowMs()
  const atMs = event.timestamp * 1000
  const navigation = event.contexts?.['navigation']?.['id']
  const one = { endpoint, limit: 1 }
  const [all, here] = await Promise.all([
    pageDataFailures(queries, grant, { ...one, fromMs: nowMs - DAYS * DAY_MS, toMs: nowMs }),
    typeof navigation === 'string'
      ? pageDataFailures(queries, grant, {
          ...one,
          navigation,
          fromMs: Math.max(0, atMs - AROUND_MS),
          toMs: atMs + AROUND_MS,
        })
      : [],
  ])
  return { ...failed, all: all[0], here: here[0], days: DAYS }
}
