/** The issues that an address names as `?ids=1,2`: those that are asked about before they are merged or deleted. */
import type { Grant } from '@sonde/access'
import { issuesNamed } from '@sonde/queries'
import type { AppContext } from '../../server/app-context.server.ts'

/** More are not looked through one by one. */
export const MAX_CHOSEN = 200

export const chosenIds = (text: string | null): readonly number[] => [
  ...new Set(
    (text ?? '')
      .split(',')
      .map(Number)
      .filter((id) => Number.isSafeInteger(id) && id > 0)
      .slice(0, MAX_CHOSEN),
  ),
]

/** Those that are there, the most events first, of as many the oldest. */
export async function chosenIssues(
  { queries }: Pick<AppContext, 'queries'>,
  grant: Grant<'event:read', 'project'>,
  ids: readonly number[],
) {
  const rows = await issuesNamed(queries, grant, ids)
  return rows
    .filter(({ eventCount }) => eventCount > 0)
    .toSorted((a, b) => b.eventCount - a.eventCount || a.id - b.id)
}
