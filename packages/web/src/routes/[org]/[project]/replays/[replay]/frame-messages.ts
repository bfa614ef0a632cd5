/** What the screen and the player in its frame tell each other. Times are milliseconds since the first event. */
export type RecordedEvent = {
  readonly type: number
  readonly timestamp: number
  readonly data?: unknown
}

export type ToFrame =
  /** In order of time; those behind the ones before. */
  | { readonly kind: 'events'; readonly events: readonly RecordedEvent[] }
  | { readonly kind: 'play'; readonly atMs: number }
  | { readonly kind: 'pause'; readonly atMs: number }
  | { readonly kind: 'config'; readonly speed: number; readonly skipInactive: boolean }

export type FromFrame =
  /** The first events are built, and it can be played. */
  | { readonly kind: 'ready' }
  /** Some ten times a second while it plays. `isSkipping`: nothing happens, and time runs faster. */
  | { readonly kind: 'time'; readonly atMs: number; readonly isSkipping: boolean }
  /** At the last event it has. */
  | { readonly kind: 'end' }
  /** The recorded page's viewport, in its pixels. */
  | { readonly kind: 'size'; readonly width: number; readonly height: number }
  | { readonly kind: 'failed'; readonly message: string }

/** What comes over the port is the recording's frame's: read like a stranger's. */
export function readFromFrame(raw: unknown): FromFrame | undefined {
  if (typeof raw !== 'object' || raw === null || !('kind' in raw)) return undefined
  const message = raw as Readonly<Record<string, unknown>>
  const number = (name: string): number =>
    typeof message[name] === 'number' && Number.isFinite(message[name]) ? message[name] : 0
  switch (message['kind']) {
    case 'ready':
    case 'end':
      return { kind: message['kind'] }
    case 'time':
      return { kind: 'time', atMs: Math.max(0, number('atMs')), isSkipping: message['isSkipping'] === true }
    case 'size':
      return { kind: 'size', width: number('width'), height: number('height') }
    case 'failed':
      return { kind: 'failed', message: String(message['message']).slice(0, 300) }
    default:
      return undefined
  }
}
