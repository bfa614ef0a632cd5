/** What Sonde counts of sessions, read as any client of the API reads it. */
import { isDeepStrictEqual } from 'node:util'
import type { Harness } from './harness.ts'

type Statistics = {
  readonly groups: readonly {
    readonly by: { readonly 'session.status': string }
    readonly totals: { readonly 'sum(session)': number }
  }[]
}

/** Waits for these numbers by status: an update of a session may be read before the one that ends it. */
export async function assertSessions(
  { api }: Harness,
  release: string,
  wanted: Readonly<Record<string, number>>,
): Promise<void> {
  const query = new URLSearchParams({
    field: 'sum(session)',
    groupBy: 'session.status',
    statsPeriod: '1d',
    interval: '1d',
    query: `release:${release}`,
  })
  await api.until<Statistics>(`/api/0/organizations/acme/sessions/?${query}`, ({ groups }) =>
    isDeepStrictEqual(
      Object.fromEntries(groups.map(({ by, totals }) => [by['session.status'], totals['sum(session)']])),
      wanted,
    ),
  )
}
