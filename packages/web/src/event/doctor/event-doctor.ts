/** Why frames of an event are not readable and what to do: made on the server, so that a page without such frames carries nothing. */
import type { Frame, NormalizedEvent } from '@sonde/protocol/event'
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import type { UploadPlace } from '../../source-maps/upload-commands.ts'
import { REASONS } from './frame-reasons.ts'
import { reasonSteps, type Step } from './reason-steps.ts'

export type DoctorNote = {
  readonly reason: FrameProblem
  /** `12 of 14 frames`. */
  readonly frames: string
  /** Why, in one sentence. */
  readonly why: string
  readonly steps: readonly Step[]
}

export type EventDoctor = {
  /** Beside each frame of the reason. */
  readonly short: Partial<Readonly<Record<FrameProblem, string>>>
  /** The reason of the most frames first. */
  readonly notes: readonly DoctorNote[]
}

type Place = UploadPlace

/** Undefined: every frame is readable, or of no script. */
export function eventDoctor(
  event: Pick<NormalizedEvent, 'exception' | 'threads' | 'release' | 'dist'>,
  place: Place,
): EventDoctor | undefined {
  const frames = framesOf(event)
  const byReason = new Map<FrameProblem, Frame[]>()
  for (const frame of frames) {
    if (!frame.problem) continue
    const same = byReason.get(frame.problem.reason)
    if (same) same.push(frame)
    else byReason.set(frame.problem.reason, [frame])
  }
  if (byReason.size === 0) return undefined
  const reasons = [...byReason].toSorted(([, a], [, b]) => b.length - a.length)
  return {
    short: Object.fromEntries(reasons.map(([reason]) => [reason, REASONS[reason].short])),
    notes: reasons.map(([reason, unreadable]) => {
      const told = unreadable.findLast(({ in_app: isOurs }) => isOurs) ?? unreadable.at(-1)
      return {
        reason,
        frames: countText(unreadable.length, frames.length),
        why: whyText(reason, unreadable),
        steps: reasonSteps(reason, {
          ...place,
          release: event.release,
          dist: event.dist,
          scriptUrl: told?.abs_path ?? told?.filename,
        }),
      }
    }),
  }
}

function framesOf({ exception = [], threads = [] }: Pick<NormalizedEvent, 'exception' | 'threads'>): Frame[] {
  return [...exception, ...threads].flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
}

const countText = (count: number, all: number): string =>
  count === all ? (all === 1 ? 'The frame' : `All ${all} frames`) : `${count} of ${all} frames`

/** The detail is told here when it is the same for all; else it stands at each frame. */
function whyText(reason: FrameProblem, frames: readonly Frame[]): string {
  const { sentence } = REASONS[reason]
  const details = new Set(frames.map(({ problem }) => problem?.detail ?? ''))
  const [detail = ''] = details
  return details.size === 1 && detail !== '' ? `${sentence}: ${detail}` : sentence
}
