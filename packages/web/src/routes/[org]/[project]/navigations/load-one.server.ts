/** One navigation, with what failed in it and the issue that its errors went to. */
import type { Grant } from '@sonde/access'
import { issuesOfTraces, navigationOf, pageDataFailures, type QueryDeps } from '@sonde/queries'

/** A failure is told 8 s after its last attempt at the latest, and a navigation is given up after 60 s. */
const AROUND_MS = 2 * 60_000

/** Undefined when nobody told of it. */
export async function loadOneNavigation(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  navigationId: string,
) {
  const navigation = await navigationOf(queries, grant, { navigationId })
  if (navigation === undefined) return undefined
  const { atMs, traceId } = navigation
  const around = { fromMs: Math.max(0, atMs - AROUND_MS), toMs: atMs + AROUND_MS }
  const [failures, issues] = await Promise.all([
    pageDataFailures(queries, grant, { ...around, navigation: navigation.navigationId, limit: 10 }),
    issuesOfTraces(queries, grant, [{ traceId, atMs }]),
  ])
  const requests = failures.map(({ endpoint, answers, attempts, seen, recovered }) => ({
    endpoint,
    answer: answers[0]?.answer ?? '',
    attempts,
    isSeen: seen > 0,
    isRecovered: recovered > 0,
  }))
  return { navigation, failures: requests, issue: issues.get(traceId) }
}
