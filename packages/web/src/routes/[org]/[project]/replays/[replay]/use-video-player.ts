/** Plays the videos of a replay one after the other, as one player with one clock. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Clip, clipAt, isIdleAt, nextClip } from './clips.ts'
import { FIRST, type PlayerControls, type PlayerState, type Speed } from './use-player.ts'

const TICK_MS = 100
/** How fast inactivity passes, unless the speed is higher. */
const SKIPPING_SPEED = 8
/** A frame or so: what is nearer to its end has ended. */
const END_MS = 40

export type VideoPlayer = PlayerControls & {
  /** What is shown, and what comes next and is loaded ahead. */
  readonly near: readonly Clip[]
  readonly current: Clip | undefined
  /** Of `<video>`: the element of a clip. */
  readonly attach: (clip: Clip, element: HTMLVideoElement | null) => void
  readonly onLoaded: (clip: Clip) => void
  readonly onError: (clip: Clip) => void
}

type Input = {
  readonly clips: readonly Clip[]
  readonly durationMs: number
  /** When the visitor did something, ascending. */
  readonly busyMs: readonly number[]
  /** Where it begins, paused. */
  readonly startMs: number
}

export function useVideoPlayer({ clips, durationMs, busyMs, startMs }: Input): VideoPlayer {
  const [state, setState] = useState<PlayerState>({ ...FIRST, isReady: true, atMs: startMs })
  const [broken, setBroken] = useState<ReadonlySet<number>>(new Set())
  const playable = useMemo(() => clips.filter(({ segment }) => !broken.has(segment)), [clips, broken])
  const elements = useRef(new Map<number, HTMLVideoElement>())
  const known = useRef({ state, playable, durationMs, busyMs })
  useEffect(() => {
    known.current = { ...known.current, playable, durationMs, busyMs }
  })
  const change = useCallback((more: Partial<PlayerState>): void => {
    known.current.state = { ...known.current.state, ...more }
    setState(known.current.state)
  }, [])

  /** Makes the element of the place show it; the others stand still. */
  const place = useCallback((): void => {
    const { state: now, playable: list } = known.current
    const clip = clipAt(list, now.atMs)
    for (const [segment, element] of elements.current) if (segment !== clip?.segment) element.pause()
    const element = clip && elements.current.get(clip.segment)
    if (!clip || !element || element.readyState < HTMLMediaElement.HAVE_METADATA) return
    element.currentTime = (now.atMs - clip.startMs) / 1000
    if (now.isPlaying) element.play().catch(() => undefined)
    else element.pause()
  }, [])

  useEffect(() => {
    if (!state.isPlaying) return undefined
    let before = performance.now()
    const timer = setInterval(() => {
      const after = performance.now()
      const { state: now, playable: list, durationMs: endMs, busyMs: busy } = known.current
      const isSkipping = now.skipInactive && isIdleAt(busy, now.atMs, endMs)
      const rate = isSkipping ? Math.max(SKIPPING_SPEED, now.speed) : now.speed
      const clip = clipAt(list, now.atMs)
      const element = clip && elements.current.get(clip.segment)
      let atMs = now.atMs
      let isWaiting = false
      if (!clip) {
        const next = nextClip(list, now.atMs)
        atMs = now.skipInactive && next ? next.startMs : now.atMs + (after - before) * rate
      } else if (!element || element.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) isWaiting = true
      else {
        if (element.playbackRate !== rate) element.playbackRate = rate
        const shownMs = clip.startMs + element.currentTime * 1000
        const isOver = element.ended || shownMs >= clip.startMs + clip.durationMs - END_MS
        atMs = isOver ? clip.startMs + clip.durationMs : Math.max(shownMs, clip.startMs)
        if (!isOver && element.paused) element.play().catch(() => undefined)
      }
      before = after
      const isOver = atMs >= endMs
      change({
        atMs: Math.min(atMs, endMs),
        isSkipping: isSkipping && !isOver,
        isWaiting,
        ...(isOver && { isPlaying: false }),
      })
      if (isOver || clipAt(list, atMs) !== clip) place()
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [state.isPlaying, change, place])

  const attach = useCallback((clip: Clip, element: HTMLVideoElement | null): void => {
    if (element) elements.current.set(clip.segment, element)
    else elements.current.delete(clip.segment)
  }, [])
  const onLoaded = useCallback(
    (clip: Clip): void => {
      const element = elements.current.get(clip.segment)
      if (element && element.videoWidth > 0)
        change({ width: element.videoWidth, height: element.videoHeight })
      if (clipAt(known.current.playable, known.current.state.atMs) === clip) place()
    },
    [change, place],
  )
  const onError = useCallback(
    (clip: Clip): void => {
      setBroken((others) => new Set([...others, clip.segment]))
      change({
        failure: `the video of segment ${clip.segment} cannot be read, or is none that this browser plays`,
      })
    },
    [change],
  )
  const seek = useCallback(
    (atMs: number): void => {
      change({ atMs: Math.min(Math.max(0, atMs), known.current.durationMs), isSkipping: false })
      place()
    },
    [change, place],
  )
  const toggle = useCallback((): void => {
    const { state: now, durationMs: endMs } = known.current
    const isAtEnd = now.atMs >= endMs
    change({ isPlaying: !now.isPlaying, ...(isAtEnd && !now.isPlaying && { atMs: 0 }), isSkipping: false })
    place()
  }, [change, place])
  const setSpeed = useCallback((speed: Speed) => change({ speed }), [change])
  const setSkipInactive = useCallback((skipInactive: boolean) => change({ skipInactive }), [change])

  // At the end its last picture stays.
  const current = clipAt(playable, state.atMs) ?? (state.atMs >= durationMs ? playable.at(-1) : undefined)
  const next = nextClip(playable, current ? current.startMs + current.durationMs - 1 : state.atMs)
  const near = [current, next].flatMap((clip) => clip ?? [])
  return { ...state, near, current, attach, onLoaded, onError, seek, toggle, setSpeed, setSkipInactive }
}
