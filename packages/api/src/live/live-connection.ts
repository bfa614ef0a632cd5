/** One browser that listens: its stream of server-sent events, and what it has not been told yet. */

/** Made after the permission check alone: what it names is what its reader may see. */
export type LiveListener = {
  /** Connections are limited for each: `actorOf(viewer)`. */
  readonly actor: string
  readonly orgId: number
  /** Undefined: every project of the organisation, also later ones. */
  readonly projectIds: readonly number[] | undefined
  /** Asked with every beat: whoever was removed, signed out or lost a token hears nothing for longer than that. */
  readonly mayListen: () => Promise<boolean>
}

/** Which issues of a project were stored since the last message. */
export type LiveChange = {
  readonly project: number
  readonly issues: ReadonlySet<number>
  readonly created: ReadonlySet<number>
  readonly regressed: ReadonlySet<number>
  /** More issues than are named. */
  readonly more: boolean
}

export type LiveTiming = {
  /** A comment keeps proxies from ending a silent connection; they wait 60 s as a rule. */
  readonly beatMs: number
  /** After it the stream ends and the browser comes again: none lives on when nobody remembers it. */
  readonly lifeMs: number
}

export type LiveConnection = {
  readonly listener: LiveListener
  readonly stream: ReadableStream<Uint8Array>
  /** Sent at once, or with the next when the browser is behind. */
  tell(changes: readonly LiveChange[]): void
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

export function openConnection(
  listener: LiveListener,
  { beatMs, lifeMs }: LiveTiming,
  onEnd: (connection: LiveConnection) => void,
): LiveConnection {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let unsent = new Map<number, LiveChange>()
  let silentBeats = 0

  const write = (text: string): boolean => {
    if (!controller || (controller.desiredSize ?? 0) <= 0) return false
    controller.enqueue(encoder.encode(text))
    return true
  }
  const send = (): void => {
    if (unsent.size > 0 && write(messageOf([...unsent.values()]))) unsent = new Map()
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
  const beat = setInterval(() => {
    void listener.mayListen().then(
      (may) => may || end(),
      () => end(),
    )
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
        unsent.set(change.project, known ? merged(known, change) : change)
      }
      send()
    },
    end,
  }
  return connection
}

function merged(a: LiveChange, b: LiveChange): LiveChange {
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

const messageOf = (changes: readonly LiveChange[]): string =>
  `event: changes\ndata: ${JSON.stringify({ changes: changes.map((change) => changeJson(change)) })}\n\n`

const changeJson = ({ project, issues, created, regressed, more }: LiveChange) => ({
  project,
  issues: [...issues].slice(-MAX_IDS),
  created: [...created].slice(-MAX_IDS),
  regressed: [...regressed].slice(-MAX_IDS),
  more: more || issues.size > MAX_IDS,
})
