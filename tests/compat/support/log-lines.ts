/** Lines of logs that the API gives for a search, once there are some. */
import type { Harness } from './harness.ts'

type Line = Readonly<Record<string, unknown>>

/** The newest first. `count`: so many are waited for. */
export async function logLines(
  { api }: Harness,
  query: string,
  fields: readonly string[] = ['severity', 'message'],
  count = 1,
): Promise<readonly Line[]> {
  const params = new URLSearchParams({ dataset: 'ourlogs', query, statsPeriod: '1h' })
  for (const field of fields) params.append('field', field)
  const path = `/api/0/organizations/acme/events/?${params.toString()}`
  const { data } = await api.until<{ readonly data: readonly Line[] }>(
    path,
    (found) => found.data.length >= count,
  )
  return data
}
