/**
 * What the frames of one event share while it is normalised. Whether a silent SDK means "in app" can be told only
 * after all frames were seen: an SDK that marked one of them knows its own code and meant the rest not to be.
 */
import type { Frame } from '@sonde/protocol/event'
import { isInApp } from './in-app.ts'
import type { Mutable } from './read.ts'

export type StackState = {
  readonly platform: string
  readonly undecided: Mutable<Frame>[]
  sdkMarkedInApp: boolean
}

export function createStackState(platform: string): StackState {
  return { platform, undecided: [], sdkMarkedInApp: false }
}

/** Call once, after the last frame of the event. */
export function decideInApp(state: StackState): void {
  for (const frame of state.undecided)
    frame.in_app = state.sdkMarkedInApp ? false : isInApp(frame, frame.platform ?? state.platform)
}
