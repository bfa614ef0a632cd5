/** Play, speed, inactivity, full screen, and a link to this second. */
import { CopyButton } from '../../../../../ui/copy-button.tsx'
import { type PlayerControls, SPEEDS } from './use-player.ts'

type Props = {
  readonly player: PlayerControls
  readonly link: () => string
  readonly goFullScreen: () => void
}

export const STEP_MS = 10_000

export function Controls({ player, link, goFullScreen }: Props) {
  const { isPlaying, isReady, speed, skipInactive, atMs } = player
  return (
    <div className="replay-controls" role="group" aria-label="Playback">
      <button type="button" className="button button-primary" onClick={player.toggle} disabled={!isReady}>
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <button type="button" className="button" onClick={() => player.seek(atMs - STEP_MS)}>
        Back 10 s
      </button>
      <button type="button" className="button" onClick={() => player.seek(atMs + STEP_MS)}>
        Forward 10 s
      </button>
      <div className="segmented" role="group" aria-label="Speed">
        {SPEEDS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === speed}
            aria-label={`Speed ${each}×`}
            onClick={() => player.setSpeed(each)}
          >
            {each}×
          </button>
        ))}
      </div>
      <label className="replay-skip">
        <input
          type="checkbox"
          checked={skipInactive}
          onChange={(event) => player.setSkipInactive(event.currentTarget.checked)}
        />{' '}
        Skip inactivity
      </label>
      <button type="button" className="button" onClick={goFullScreen}>
        Full screen
      </button>
      <CopyButton text={link} what="link to this second" label="Copy link" />
    </div>
  )
}
