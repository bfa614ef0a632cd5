/** The player of a recording of a page, or of the videos of a mobile SDK. */
import { useSearchParams } from '@sonde/router'
import { useCallback, useEffect, useRef } from 'react'
import { paths } from '../../../../../paths.ts'
import type { load } from './page.server.ts'
import { PlayerScreen } from './player-screen.tsx'
import { secondOf } from './player-time.ts'
import { usePlayer } from './use-player.ts'
import { useRecording } from './use-recording.ts'
import { VideoReplay } from './video-replay.tsx'

type Props = {
  readonly org: string
  readonly project: string
  readonly replay: Awaited<ReturnType<typeof load>>
}

export function ReplayPlayer(props: Props) {
  const { org, project, replay } = props
  const seen = `/api/0/projects/${encodeURIComponent(org)}/${encodeURIComponent(project)}/replays/${replay.replayId}/viewed-by/`
  // That it was looked at: nothing of the screen depends on whether that could be noted.
  useEffect(() => {
    if (replay.mayNote) void fetch(seen, { method: 'POST' }).catch(() => undefined)
  }, [seen, replay.mayNote])
  return props.replay.videos.length > 0 ? <VideoReplay {...props} /> : <PageReplay {...props} />
}

function PageReplay({ org, project, replay }: Props) {
  const [params] = useSearchParams()
  const { replayId, clockShiftMs } = replay
  const frame = useRef<HTMLIFrameElement>(null)
  const player = usePlayer(frame, paths.replayFrame(org, project, replayId), secondOf(params.get('t')) * 1000)
  const urlOf = useCallback(
    (from: number) => paths.replayRecording(org, project, replayId, from),
    [org, project, replayId],
  )
  const { take, setLoaded } = player
  const recording = useRecording(urlOf, take)
  const { state, firstMs = replay.startedMs - clockShiftMs, lastMs } = recording
  const loadedMs = Math.max(0, lastMs - firstMs)
  const isWhole = state !== 'loading'
  useEffect(() => setLoaded(loadedMs, isWhole), [setLoaded, loadedMs, isWhole])
  const durationMs = isWhole ? loadedMs : Math.max(replay.durationMs, loadedMs)
  return (
    <PlayerScreen
      {...{ org, project, replay, player, recording, firstMs, durationMs, loadedMs }}
      note="Images, fonts and styles that are not in the recording are not loaded: nothing is asked of the visited site."
    >
      {player.source !== undefined && (
        <iframe
          ref={frame}
          // Of its own address, for it frames what is played; that has another origin.
          // oxlint-disable-next-line react/iframe-missing-sandbox
          sandbox="allow-scripts allow-same-origin"
          className="replay-page"
          src={player.source}
          title="Recorded page"
          tabIndex={-1}
        />
      )}
    </PlayerScreen>
  )
}
