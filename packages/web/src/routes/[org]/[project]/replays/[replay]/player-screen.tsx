/** What a player of either kind stands in: the stage, the timeline, the controls, and the lists that follow. */
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { countOf } from '../../../../../format/format-count.ts'
import { personZoneName } from '../../../../../format/person-zone.ts'
import { paths } from '../../../../../paths.ts'
import { useShortcuts } from '../../../../../shell/use-shortcuts.ts'
import { ClockTime } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { Controls, STEP_MS } from './controls.tsx'
import type { EntryKind } from './entries.ts'
import { currentIndex, EntryList } from './entry-list.tsx'
import { withHappened } from './happened.ts'
import type { load } from './page.server.ts'
import { clockIn } from './player-time.ts'
import { Timeline } from './timeline.tsx'
import type { PlayerControls } from './use-player.ts'
import type { Recording } from './use-recording.ts'

type Props = {
  readonly org: string
  readonly project: string
  readonly replay: Awaited<ReturnType<typeof load>>
  readonly player: PlayerControls
  readonly recording: Recording
  /** As the page's clock said. */
  readonly firstMs: number
  readonly durationMs: number
  readonly loadedMs: number
  /** Below the controls: what one should know of the picture. */
  readonly note: string
  /** The picture. */
  readonly children: ReactNode
}

const TABS: Readonly<Record<string, { readonly name: string; readonly kinds: readonly EntryKind[] }>> = {
  events: { name: 'Events', kinds: ['click', 'rage', 'dead', 'input', 'navigation', 'error', 'other'] },
  network: { name: 'Network', kinds: ['request'] },
  console: { name: 'Console', kinds: ['console'] },
  errors: { name: 'Errors', kinds: ['error'] },
  vitals: { name: 'Vitals', kinds: ['vital'] },
  navigations: { name: 'Navigations', kinds: ['navigation'] },
  data: { name: 'Page data', kinds: ['data'] },
}
const SHORT_STEP_MS = 5_000

export function PlayerScreen(props: Props) {
  const { org, project, replay, player, recording, firstMs, durationMs, loadedMs, note, children } = props
  const { replayId, clockShiftMs } = replay
  const entries = useMemo(
    () => withHappened(recording.entries, replay, { org, project }),
    [recording.entries, replay, org, project],
  )
  const [tab, setTab] = useState('events')
  const shown = useMemo(() => entries.filter(({ kind }) => TABS[tab]?.kinds.includes(kind)), [entries, tab])
  const stage = useRef<HTMLDivElement>(null)
  const goFullScreen = (): void =>
    void (document.fullscreenElement ? document.exitFullscreen() : stage.current?.requestFullscreen())
  const { atMs, seek, toggle } = player
  useShortcuts({
    'replay.toggle': toggle,
    'replay.back': () => seek(atMs - STEP_MS),
    'replay.forward': () => seek(atMs + STEP_MS),
    'replay.step-back': () => seek(atMs - SHORT_STEP_MS),
    'replay.step-forward': () => seek(atMs + SHORT_STEP_MS),
    'replay.full-screen': goFullScreen,
  })
  const link = (): string =>
    location.origin + paths.replay(org, project, replayId, Math.floor(player.atMs / 1000))
  // By the visitor's clock, where the SDK told its zone and it is another than the reader's.
  const isTheirs = replay.timeZone !== '' && replay.timeZone !== personZoneName()
  const theirs = isTheirs ? clockIn(firstMs + atMs + clockShiftMs, replay.timeZone) : undefined
  // As recorded: of what the reporter tells only the route is known.
  const pages = recording.entries.filter(({ kind }) => kind === 'navigation')
  const page = pages[currentIndex(pages, firstMs + atMs)]
  return (
    <div className="replay-screen">
      <div className="replay-stage" ref={stage}>
        <p className="replay-address">
          <UserText className="replay-url" text={page?.text ?? replay.urls[0] ?? ''} />
          <span className="muted num replay-clock">
            <ClockTime atMs={firstMs + atMs + clockShiftMs} />
            {theirs !== undefined && ` · ${theirs} in ${replay.timeZone.replaceAll('_', ' ')}`}
          </span>
        </p>
        <div
          className="replay-frame"
          style={{ aspectRatio: player.width > 0 ? `${player.width} / ${player.height}` : undefined }}
        >
          {children}
        </div>
        <p className="replay-notice muted" role="status">
          {noticeOf(player, recording)}
        </p>
        <Timeline {...{ entries, firstMs, durationMs, loadedMs, atMs, seek }} />
        <Controls player={player} link={link} goFullScreen={goFullScreen} />
        <p className="muted replay-privacy">{note}</p>
      </div>
      <div className="replay-side">
        <div className="segmented replay-tabs" role="group" aria-label="Lists">
          {Object.entries(TABS).map(([id, { name, kinds }]) => (
            <button key={id} type="button" aria-pressed={id === tab} onClick={() => setTab(id)}>
              {name}
              <span className="muted num replay-count">
                {entries.filter(({ kind }) => kinds.includes(kind)).length}
              </span>
            </button>
          ))}
        </div>
        <EntryList
          key={tab}
          label={TABS[tab]?.name ?? ''}
          entries={shown}
          firstMs={firstMs}
          atMs={atMs}
          seek={seek}
        />
      </div>
    </div>
  )
}

function noticeOf(player: PlayerControls, { state, unreadable, firstMs }: Recording): string {
  if (player.failure !== '') return `This part cannot be shown: ${player.failure}`
  if (state === 'failed')
    return 'The rest of the recording could not be loaded. Reload the page to try again.'
  if (unreadable > 0 && state === 'done')
    return firstMs === undefined
      ? 'The recording cannot be read: its files are missing or damaged on the server.'
      : `${countOf(unreadable, 'segment')} of the recording cannot be read: missing or damaged on the server.`
  if (!player.isReady) return state === 'done' ? 'Building the page …' : 'Loading the recording …'
  if (player.isWaiting) return 'Loading this part …'
  if (player.isSkipping) return 'Skipping inactivity …'
  return state === 'loading' ? 'Loading the rest …' : ''
}
