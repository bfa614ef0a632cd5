/** A replay of a mobile SDK: its videos, played with the timeline and the lists of a recording. */
import { useSearchParams } from '@sonde/router'
import { useCallback, useMemo } from 'react'
import { paths } from '../../../../../paths.ts'
import { clipsOf, endOf } from './clips.ts'
import type { load } from './page.server.ts'
import { PlayerScreen } from './player-screen.tsx'
import { secondOf } from './player-time.ts'
import { useRecording } from './use-recording.ts'
import { useVideoPlayer } from './use-video-player.ts'

type Props = {
  readonly org: string
  readonly project: string
  readonly replay: Awaited<ReturnType<typeof load>>
}

/** Nothing of the recording is built: its events are for the lists. */
const nowhere = (): void => undefined

export function VideoReplay({ org, project, replay }: Props) {
  const [params] = useSearchParams()
  const { replayId, clockShiftMs, videos } = replay
  const urlOf = useCallback(
    (from: number) => paths.replayRecording(org, project, replayId, from),
    [org, project, replayId],
  )
  const recording = useRecording(urlOf, nowhere)
  const firstMs = replay.startedMs - clockShiftMs
  const clips = useMemo(() => clipsOf(videos, firstMs), [videos, firstMs])
  const durationMs = Math.max(endOf(clips), replay.durationMs)
  const busyMs = useMemo(
    () => recording.entries.map(({ atMs }) => Math.max(0, atMs - firstMs)),
    [recording.entries, firstMs],
  )
  const startMs = secondOf(params.get('t')) * 1000
  const player = useVideoPlayer({ clips, durationMs, busyMs, startMs })
  const { near, current, attach, onLoaded, onError } = player
  return (
    <PlayerScreen
      {...{ org, project, replay, player, recording, firstMs, durationMs }}
      loadedMs={durationMs}
      note="A video that the SDK recorded on the device, masked there. Times without one were not recorded."
    >
      {near.map((clip) => (
        <video
          key={clip.segment}
          ref={(element) => attach(clip, element)}
          className="replay-video"
          src={paths.replayVideo(org, project, replayId, clip.segment)}
          aria-label="Recorded screen"
          hidden={clip !== current}
          muted
          playsInline
          disablePictureInPicture
          preload="auto"
          tabIndex={-1}
          onLoadedData={() => onLoaded(clip)}
          onError={() => onError(clip)}
        />
      ))}
      {current === undefined && <p className="muted replay-gap">Nothing was recorded here.</p>}
    </PlayerScreen>
  )
}
