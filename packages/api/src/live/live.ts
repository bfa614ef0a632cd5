/** Tells browsers which issues changed, on whichever node: collected, sorted by project, sent at most twice a second. */
import type { Bus, Logger, Topics } from '@sonde/base'
import type { Records } from '@sonde/stores'
import {
  type LiveChange,
  type LiveConnection,
  type LiveListener,
  type LiveTiming,
  openConnection,
} from './live-connection.ts'

export type LiveFeed = {
  /** Text of server-sent events; the reader's `cancel` ends it. A string: why there is none. */
  open(listener: LiveListener): ReadableStream<Uint8Array> | 'too-many' | 'stopping'
  /** Ends every stream. Idempotent. */
  close(): void
}

export type LiveOptions = Partial<LiveTiming> & {
  /** Its topic `issues.changed`. */
  readonly bus: Bus
  readonly records: Records
  readonly logger: Logger
  /** Between two messages to the same browser. */
  readonly gapMs?: number
  /** Of one person or token. A browser opens six connections to a host at most, and pages need some of them. */
  readonly maxPerViewer?: number
  readonly maxConnections?: number
}

/** SQLite binds 32,766 values; so many different issues in half a second are told as "more". */
const MAX_LOOKED_UP = 5_000

export function createLive(options: LiveOptions): LiveFeed {
  const { bus, records, logger, gapMs = 500, maxPerViewer = 8, maxConnections = 500 } = options
  const timing = { beatMs: options.beatMs ?? 15_000, lifeMs: options.lifeMs ?? 10 * 60_000 }
  const connections = new Set<LiveConnection>()
  let gathered = emptyGathered()
  let timer: NodeJS.Timeout | undefined
  let isTelling = false
  let toldMs = -Infinity
  let isClosed = false

  const schedule = (): void => {
    if (timer || isTelling || isClosed) return
    timer = setTimeout(() => void tell(), Math.max(0, toldMs + gapMs - performance.now()))
  }
  const tell = async (): Promise<void> => {
    timer = undefined
    isTelling = true
    toldMs = performance.now()
    const now = gathered
    gathered = emptyGathered()
    try {
      const changes = await changesOf(records, now)
      for (const connection of connections) {
        const own = changes.filter((change) => hears(connection.listener, change)).map(({ change }) => change)
        if (own.length > 0) connection.tell(own)
      }
    } catch (error) {
      logger.warn({ err: error }, 'browsers could not be told what was stored')
    }
    isTelling = false
    if (gathered.projects.size > 0) schedule()
  }

  // Costs nothing while nobody listens.
  const gather = ({ projects, issues, created, regressed }: Topics['issues.changed']): void => {
    if (connections.size === 0 || issues.length === 0) return
    for (const id of projects) gathered.projects.add(id)
    for (const id of issues) gathered.issues.add(id)
    for (const id of created) gathered.created.add(id)
    for (const id of regressed) gathered.regressed.add(id)
    schedule()
  }
  const unsubscribe = bus.subscribe('issues.changed', gather)

  return {
    open(listener) {
      if (isClosed) return 'stopping'
      const own = [...connections].filter((connection) => connection.listener.actor === listener.actor)
      if (own.length >= maxPerViewer || connections.size >= maxConnections) return 'too-many'
      const connection = openConnection(listener, timing, (ended) => connections.delete(ended))
      connections.add(connection)
      return connection.stream
    },
    close() {
      isClosed = true
      unsubscribe()
      clearTimeout(timer)
      for (const connection of connections) connection.end()
    },
  }
}

type Gathered = Record<'projects' | 'issues' | 'created' | 'regressed', Set<number>>
const emptyGathered = (): Gathered => ({
  projects: new Set(),
  issues: new Set(),
  created: new Set(),
  regressed: new Set(),
})

type PlacedChange = { readonly orgId: number; readonly change: LiveChange }

/** Whose issues they are: one look-up of the ids for all who listen. */
async function changesOf(records: Records, gathered: Gathered): Promise<readonly PlacedChange[]> {
  const ids = [...gathered.issues].slice(0, MAX_LOOKED_UP)
  const known = await records
    .selectFrom('issue')
    .select(['id', 'project_id'])
    .where('id', 'in', ids)
    .execute()
  // Whoever looks at one that became part of another is told, and led there.
  const merged = await records
    .selectFrom('issue_redirect')
    .select(['from_issue_id as id', 'project_id'])
    .where('from_issue_id', 'in', ids)
    .execute()
  const issues = [...known, ...merged]
  const projects = await records
    .selectFrom('project')
    .select(['id', 'org_id'])
    .where('id', 'in', [...gathered.projects])
    .execute()
  const more = gathered.issues.size > ids.length
  return projects.map(({ id, org_id: orgId }) => {
    const own = new Set(issues.filter((issue) => issue.project_id === id).map((issue) => issue.id))
    const { created, regressed } = gathered
    return {
      orgId,
      change: {
        project: id,
        issues: own,
        created: created.intersection(own),
        regressed: regressed.intersection(own),
        more,
      },
    }
  })
}

const hears = ({ orgId, projectIds }: LiveListener, { orgId: of, change }: PlacedChange): boolean =>
  orgId === of && (projectIds === undefined || projectIds.includes(change.project))
