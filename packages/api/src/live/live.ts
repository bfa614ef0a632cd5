/**
 * Tells browsers which issues changed, on whichever node: collected, sorted by project, sent at most twice a second. And people that
 * their inbox did.
 */
import { type Bus, forEachAtOnce, type Logger, type Topics } from '@sonde/base'
import { type Records, readVersion } from '@sonde/stores'

/** One browser that listens: its stream of server-sent events, and what it has not been told yet. */

/** Made after the permission check alone: what it names is what its reader may see. */
export type LiveListener = {
  /** Connections are limited for each: `actorOf(viewer)`. */
  readonly actor: string
  readonly orgId: number
  /** Undefined: every project of the organization, also later ones. In ascending order. */
  readonly projectIds: readonly number[] | undefined
  /** Told when this person's inbox changes. Undefined: a token, which has none. */
  readonly userId?: string | undefined
  /**
   * Asked with every beat, and within `accessMs` of a change of who may read what: whoever was removed, signed out, lost a
   * token or a project hears nothing for longer than that.
   */
  readonly mayListen: () => Promise<boolean>
}

/** Which issues of a project were stored since the last message. */
type LiveChange = {
  readonly project: number
  readonly issues: ReadonlySet<number>
  readonly created: ReadonlySet<number>
  readonly regressed: ReadonlySet<number>
  /** More issues than are named. */
  readonly more: boolean
}

type LiveTiming = {
  /** A comment keeps proxies from ending a silent connection; they wait 60 s as a rule. */
  readonly beatMs: number
  /** After it the stream ends and the browser comes again: none lives on when nobody remembers it. */
  readonly lifeMs: number
}

type LiveConnection = {
  readonly listener: LiveListener
  readonly stream: ReadableStream<Uint8Array>
  /** Sent at once, or with the next when the browser is behind. */
  tell(changes: readonly LiveChange[]): void
  /** That the inbox is another one now; likewise. */
  tellInbox(): void
  /** Ends it when its reader may not listen any more. Never throws. */
  check(): Promise<void>
  end(): void
}

/** More ids than a screen shows rows tell nothing. */
const MAX_IDS = 500
/** Messages that may wait unread; then they are merged, so a slow reader costs no memory. */
const MAX_UNREAD = 4
/** A reader that takes nothing for so many beats is gone. */
const MAX_SILENT_BEATS = 4
/** How soon a browser comes again. */
const RETRY_MS = 2_000

function openConnection(
  listener: LiveListener,
  { beatMs, lifeMs }: LiveTiming,
  onEnd: (connection: LiveConnection) => void,
): LiveConnection {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let unsent = new Map<number, LiveChange>()
  let isInboxUnsent = false
  let silentBeats = 0

  const write = (text: string): boolean => {
    if (!controller || (controller.desiredSize ?? 0) <= 0) return false
    controller.enqueue(encoder.encode(text))
    return true
  }
  const send = (): void => {
    if (unsent.size > 0 && write(messageOf([...unsent.values()]))) unsent = new Map()
    if (isInboxUnsent && write(INBOX_MESSAGE)) isInboxUnsent = false
  }
  const stop = (): void => {
    if (!controller) return
    controller = undefined
    clearInterval(beat)
    clearTimeout(life)
    onEnd(connection)
  }
  const end = (): void => {
    controller?.close()
    stop()
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened
        write(`retry: ${RETRY_MS}\n: open\n\n`)
      },
      cancel: stop,
    },
    { highWaterMark: MAX_UNREAD },
  )
  const check = (): Promise<void> =>
    listener.mayListen().then(
      (may) => (may ? undefined : end()),
      () => end(),
    )
  const beat = setInterval(() => {
    void check()
    send()
    silentBeats = write(':\n\n') ? 0 : silentBeats + 1
    if (silentBeats >= MAX_SILENT_BEATS) end()
  }, beatMs)
  const life = setTimeout(end, lifeMs)
  const connection: LiveConnection = {
    listener,
    stream,
    tell(changes) {
      for (const change of changes) {
        const known = unsent.get(change.project)
        unsent.set(change.project, known ? mergedChange(known, change) : change)
      }
      send()
    },
    tellInbox() {
      isInboxUnsent = true
      send()
    },
    check,
    end,
  }
  return connection
}

function mergedChange(a: LiveChange, b: LiveChange): LiveChange {
  const issues = a.issues.union(b.issues)
  const more = a.more || b.more || issues.size > MAX_IDS
  return {
    project: a.project,
    issues: new Set([...issues].slice(-MAX_IDS)),
    created: new Set([...a.created.union(b.created)].slice(-MAX_IDS)),
    regressed: new Set([...a.regressed.union(b.regressed)].slice(-MAX_IDS)),
    more,
  }
}

/** Without what is in it: the browser asks, and that answer is of the person who asks. */
const INBOX_MESSAGE = 'event: inbox\ndata: {}\n\n'

const messageOf = (changes: readonly LiveChange[]): string =>
  `event: changes\ndata: ${JSON.stringify({ changes: changes.map((change) => changeJson(change)) })}\n\n`

const changeJson = ({ project, issues, created, regressed, more }: LiveChange) => ({
  project,
  issues: [...issues].slice(-MAX_IDS),
  created: [...created].slice(-MAX_IDS),
  regressed: [...regressed].slice(-MAX_IDS),
  more: more || issues.size > MAX_IDS,
})

export type LiveFeed = {
  /** Text of server-sent events; the reader's `cancel` ends it. A string: why there is none. */
  open(listener: LiveListener): ReadableStream<Uint8Array> | 'too-many' | 'stopping'
  /** Ends every stream. Idempotent. */
  close(): void
}

export type LiveOptions = Partial<LiveTiming> & {
  /** Its topics `issues.changed` and `inbox.changed`. */
  readonly bus: Bus
  readonly records: Records
  readonly logger: Logger
  /** Between two messages to the same browser. */
  readonly gapMs?: number
  /** How often it is asked whether anybody lost access: one row, while somebody listens. */
  readonly accessMs?: number
  /** Of one person or token. A browser opens six connections to a host at most, and pages need some of them. */
  readonly maxPerViewer?: number
  readonly maxConnections?: number
}

/** SQLite binds 32,766 values; so many different issues in half a second are told as "more". */
const MAX_LOOKED_UP = 5_000

export function createLive(options: LiveOptions): LiveFeed {
  const { bus, records, logger, gapMs = 500, maxPerViewer = 8, maxConnections = 500 } = options
  const { accessMs = 400 } = options
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
  const endAll = (): void => {
    for (const connection of connections) connection.end()
  }
  // What was stored while other nodes were not heard: a browser whose stream ends asks for everything, and comes again.
  const tellInboxes = ({ users }: Topics['inbox.changed']): void => {
    const told = new Set(users)
    for (const connection of connections) {
      const { userId } = connection.listener
      if (userId !== undefined && told.has(userId)) connection.tellInbox()
    }
  }
  const watch = createAccessWatch({ records, connections, accessMs })
  const unsubscribe = [
    bus.subscribe('issues.changed', gather),
    bus.subscribe('inbox.changed', tellInboxes),
    bus.onConnect(endAll),
  ]

  return {
    open(listener) {
      if (isClosed) return 'stopping'
      const own = [...connections].filter((connection) => connection.listener.actor === listener.actor)
      if (own.length >= maxPerViewer || connections.size >= maxConnections) return 'too-many'
      const connection = openConnection(listener, timing, (ended) => connections.delete(ended))
      connections.add(connection)
      watch.start(connection)
      return connection.stream
    },
    close() {
      isClosed = true
      for (const each of unsubscribe) each()
      watch.stop()
      clearTimeout(timer)
      endAll()
    },
  }
}

/** Connections whose readers are looked up side by side. */
const CHECKED_AT_ONCE = 20

/**
 * Looks whether anybody lost access, wherever that was done: by another node, or on the command line. Costs nothing while
 * nobody listens.
 */
function createAccessWatch({
  records,
  connections,
  accessMs,
}: {
  readonly records: Records
  readonly connections: ReadonlySet<LiveConnection>
  readonly accessMs: number
}) {
  const stopping = new AbortController()
  // What was changed while they were opened may have been seen before they were there.
  const fresh = new Set<LiveConnection>()
  let known: number | undefined
  let timer: NodeJS.Timeout | undefined

  const look = async (): Promise<void> => {
    // Records that do not answer end the streams with their next beat.
    const version = await readVersion(records, 'access').catch(() => known)
    const checked = [...(version === known ? fresh : connections)]
    fresh.clear()
    known = version
    await forEachAtOnce(checked, CHECKED_AT_ONCE, stopping.signal, (each) => each.check())
    timer = undefined
    if (connections.size > 0) next()
  }
  const next = (): void => {
    if (stopping.signal.aborted) return
    timer ??= setTimeout(() => void look(), accessMs)
  }
  const start = (connection: LiveConnection): void => {
    fresh.add(connection)
    next()
  }
  const stop = (): void => {
    stopping.abort()
    clearTimeout(timer)
  }
  return { start, stop }
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
