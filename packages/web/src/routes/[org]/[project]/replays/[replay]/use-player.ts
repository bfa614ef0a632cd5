/** The player in its frame as state of a screen: what it shows, and what it can be told. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type FromFrame, readFromFrame, type RecordedEvent, type ToFrame } from './frame-messages.ts'

export const SPEEDS = [1, 2, 4, 8] as const
export type Speed = (typeof SPEEDS)[number]

export type PlayerState = {
  readonly isReady: boolean
  readonly isPlaying: boolean
  readonly isSkipping: boolean
  /** What is asked for has not been loaded. */
  readonly isWaiting: boolean
  /** Milliseconds since the first event. */
  readonly atMs: number
  readonly speed: Speed
  readonly skipInactive: boolean
  /** Of the recorded page; 0: not known. */
  readonly width: number
  readonly height: number
  readonly failure: string
}
/** What a player of either kind is for its screen. */
export type PlayerControls = PlayerState & {
  readonly seek: (atMs: number) => void
  readonly toggle: () => void
  readonly setSpeed: (speed: Speed) => void
  readonly setSkipInactive: (skip: boolean) => void
}
type Player = PlayerControls & {
  /** Undefined until its script's address is known. */
  readonly source: string | undefined
  readonly take: (events: readonly RecordedEvent[]) => void
  /** The recording is there to its end. */
  readonly setLoaded: (durationMs: number, isWhole: boolean) => void
}

export const FIRST: PlayerState = {
  isReady: false,
  isPlaying: false,
  isSkipping: false,
  isWaiting: false,
  atMs: 0,
  speed: 1,
  skipInactive: true,
  width: 0,
  height: 0,
  failure: '',
}

/** `frame`: where it is shown; `frameUrl`: of the page in which it plays; `startMs`: where it begins, paused. */
export function usePlayer(
  frame: RefObject<HTMLIFrameElement | null>,
  frameUrl: string,
  startMs: number,
): Player {
  const [source, setSource] = useState<string>()
  const [state, setState] = useState<PlayerState>({ ...FIRST, atMs: startMs })
  const known = useRef({ state, port: undefined as MessagePort | undefined, loadedMs: 0, isWhole: false })
  const early = useRef<ToFrame[]>([])
  const change = useCallback((more: Partial<PlayerState>): void => {
    known.current.state = { ...known.current.state, ...more }
    setState(known.current.state)
  }, [])
  const tell = useCallback((message: ToFrame): void => {
    const { port } = known.current
    if (port) port.postMessage(message)
    else early.current.push(message)
  }, [])

  /** Plays or shows what is asked for, or waits until it is loaded. */
  const apply = useCallback((): void => {
    const { state: now, loadedMs, isWhole } = known.current
    if (!now.isReady) return
    const isWaiting = !isWhole && now.atMs > loadedMs
    if (isWaiting !== now.isWaiting) change({ isWaiting })
    if (isWaiting) tell({ kind: 'pause', atMs: loadedMs })
    else tell({ kind: now.isPlaying ? 'play' : 'pause', atMs: now.atMs })
  }, [change, tell])

  const hear = useCallback(
    (message: FromFrame): void => {
      const { state: now, isWhole, loadedMs } = known.current
      if (message.kind === 'ready') {
        change({ isReady: true })
        tell({ kind: 'config', speed: now.speed, skipInactive: now.skipInactive })
        apply()
      } else if (message.kind === 'time') {
        if (now.isPlaying && !now.isWaiting) change({ atMs: message.atMs, isSkipping: message.isSkipping })
      } else if (message.kind === 'end') {
        if (isWhole) change({ isPlaying: false, isSkipping: false, atMs: Math.max(now.atMs, loadedMs) })
        else change({ isWaiting: true })
      } else if (message.kind === 'size') change({ width: message.width, height: message.height })
      else change({ failure: message.message })
    },
    [apply, change, tell],
  )

  useEffect(() => {
    let isGone = false
    void import('./player-frame.ts?worker&url').then(({ default: script }: { default: string }) => {
      if (!isGone) setSource(`${frameUrl}#${encodeURIComponent(script)}`)
    })
    const connect = ({ data, source: from, origin }: MessageEvent): void => {
      const target = frame.current?.contentWindow
      if (data !== 'replay-frame' || origin !== location.origin || !target || from !== target) return
      const { port1, port2 } = new MessageChannel()
      target.postMessage('port', location.origin, [port2])
      port1.addEventListener('message', (event) => {
        const message = readFromFrame(event.data)
        if (message) hear(message)
      })
      port1.start()
      known.current.port = port1
      for (const message of early.current.splice(0)) port1.postMessage(message)
    }
    addEventListener('message', connect)
    const own = known.current
    return () => {
      isGone = true
      removeEventListener('message', connect)
      own.port?.close()
      own.port = undefined
    }
  }, [frame, frameUrl, hear])

  const take = useCallback((events: readonly RecordedEvent[]) => tell({ kind: 'events', events }), [tell])
  const setLoaded = useCallback(
    (durationMs: number, isWhole: boolean): void => {
      known.current.loadedMs = durationMs
      known.current.isWhole = isWhole
      if (known.current.state.isWaiting) apply()
    },
    [apply],
  )
  const seek = useCallback(
    (atMs: number): void => {
      change({ atMs: Math.max(0, atMs), isSkipping: false })
      apply()
    },
    [apply, change],
  )
  const toggle = useCallback((): void => {
    const { state: now, isWhole, loadedMs } = known.current
    const isAtEnd = isWhole && now.atMs >= loadedMs
    change({ isPlaying: !now.isPlaying, ...(isAtEnd && !now.isPlaying && { atMs: 0 }) })
    apply()
  }, [apply, change])
  const configure = useCallback(
    (more: Partial<Pick<PlayerState, 'speed' | 'skipInactive'>>): void => {
      change(more)
      const { speed, skipInactive } = known.current.state
      tell({ kind: 'config', speed, skipInactive })
    },
    [change, tell],
  )
  const setSpeed = useCallback((speed: Speed) => configure({ speed }), [configure])
  const setSkipInactive = useCallback((skipInactive: boolean) => configure({ skipInactive }), [configure])
  return { ...state, source, take, setLoaded, seek, toggle, setSpeed, setSkipInactive }
}
