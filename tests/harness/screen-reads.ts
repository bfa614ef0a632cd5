/**
 * What the statements behind a screen read, as the engine counts it. Loads run in this process, over stores that are open,
 * and their statements one at a time, so that the engine's counters are of one statement.
 */
import { createAccess, type UserViewer } from '@sonde/access'
import { createMutex, silentLogger, systemClock } from '@sonde/base'
import type { Records, Telemetry } from '@sonde/stores'
import { load as insightDetail } from '../../packages/web/src/routes/[org]/[project]/insights/[kind]/detail/page.server.ts'
import { load as insight } from '../../packages/web/src/routes/[org]/[project]/insights/[kind]/page.server.ts'
import { load as navigations } from '../../packages/web/src/routes/[org]/[project]/navigations/page.server.ts'
import { load as performance } from '../../packages/web/src/routes/[org]/[project]/performance/page.server.ts'
import { load as transaction } from '../../packages/web/src/routes/[org]/[project]/performance/transaction/page.server.ts'
import { load as vitals } from '../../packages/web/src/routes/[org]/[project]/vitals/page.server.ts'
import { load as explore } from '../../packages/web/src/routes/[org]/explore/page.server.ts'

export type StatementReads = {
  readonly sql: string
  readonly rows: number
  readonly bytes: number
  /** Of the engine's threads, milliseconds. */
  readonly cpuMs: number
}

/** By the end of its address; the first that fits. */
const LOADS: readonly (readonly [RegExp, (args: never) => Promise<unknown>])[] = [
  [/^\/[^/]+\/explore$/, explore],
  [/\/insights\/[a-z]+\/detail$/, insightDetail],
  [/\/insights\/[a-z]+$/, insight],
  [/\/navigations$/, navigations],
  [/\/performance$/, performance],
  [/\/performance\/transaction$/, transaction],
  [/\/vitals$/, vitals],
]
const COUNTERS = {
  rows: 'SelectedRows',
  bytes: 'SelectedBytes',
  cpuUs: 'OSCPUVirtualTimeMicroseconds',
} as const
type Counter = keyof typeof COUNTERS

export function screenReads({
  records,
  telemetry,
}: {
  readonly records: Records
  readonly telemetry: Telemetry
}) {
  const read: StatementReads[] = []
  const turn = createMutex()
  const counters = async (): Promise<ReadonlyMap<string, number>> => {
    const rows = await telemetry.query<{ event: string; value: number }>(
      'SELECT event, value FROM system.events WHERE event IN {names:Array(String)}',
      { names: Object.values(COUNTERS) },
    )
    return new Map(rows.map(({ event, value }) => [event, value]))
  }
  const counted: Telemetry = {
    ...telemetry,
    async query<Row>(sql: string, params?: Readonly<Record<string, unknown>>) {
      const rows = await turn.run(async () => {
        const before = await counters()
        const found = await telemetry.query<Row>(sql, params)
        const after = await counters()
        const since = (counter: Counter): number =>
          (after.get(COUNTERS[counter]) ?? 0) - (before.get(COUNTERS[counter]) ?? 0)
        read.push({
          sql,
          rows: since('rows') - after.size,
          bytes: since('bytes'),
          cpuMs: since('cpuUs') / 1000,
        })
        return found
      })
      return rows ?? []
    },
  }
  const publicUrl = 'http://sonde.test'
  const access = createAccess({
    records,
    publicUrl,
    secret: 'a secret of at least thirty-two characters',
    clock: systemClock,
    logger: silentLogger,
  })
  /** Throws for a screen whose load is not in the list. */
  return async (viewer: UserViewer, path: string): Promise<readonly StatementReads[]> => {
    const url = new URL(path, publicUrl)
    const [, org = '', project = '', , kind = ''] = url.pathname.split('/')
    const load = LOADS.find(([address]) => address.test(url.pathname))?.[1]
    if (load === undefined) throw new Error(`no load is known for ${path}`)
    read.length = 0
    const queries = { records, telemetry: counted, clock: systemClock, publicUrl }
    const context = {
      viewer,
      grants: access.grantsFor(viewer),
      access,
      queries,
      clock: systemClock,
      publicUrl,
    }
    await load({ url, params: { org, project, kind }, context } as never)
    return [...read]
  }
}

/** A member of the organization, as sign-in would have found them. */
export async function memberOf(records: Records, slug: string): Promise<UserViewer> {
  const { id, name } = await records
    .selectFrom('organization')
    .select(['id', 'name'])
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow()
  return {
    kind: 'user',
    userId: 'u',
    email: 'u@acme.test',
    name: 'U',
    isOperator: false,
    memberships: [{ orgId: id, orgSlug: slug, orgName: name, role: 'owner' }],
  }
}
