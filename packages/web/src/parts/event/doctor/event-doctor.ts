/** Why frames of an event are not readable and what to do: made on the server, so that a page without such frames carries nothing. */
import type { Frame, NormalizedEvent } from '@sonde/protocol/event'
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import type { UploadPlace } from '../../upload-commands.ts'
import { REASONS } from './frame-reasons.ts'
import { reasonSteps, type Step } from './reason-steps.ts'

export type DoctorNote = {
  readonly reason: FrameProblem
  /** `12 of 14 frames are not readable:` */
  readonly head: string
  /** One sentence. */
  readonly why: string
  readonly steps: readonly Step[]
}

export type EventDoctor = {
  /** What stands beside each frame of a reason, and whether its own detail goes with it. */
  readonly beside: Partial<
    Readonly<Record<FrameProblem, { readonly short: string; readonly isDetailed: boolean }>>
  >
  /** The reason of the most frames first. */
  readonly notes: readonly DoctorNote[]
  /** That it is about to change by itself; undefined: it is not. */
  readonly repair?: string | undefined
}

/** Undefined: every frame is readable, or of no script. */
export function eventDoctor(
  event: Pick<NormalizedEvent, 'exception' | 'threads' | 'release' | 'dist'>,
  place: UploadPlace,
  repair?: string,
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
  const reasons = [...byReason]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([reason, unreadable]) => ({ reason, unreadable, shared: sharedDetail(unreadable) }))
  return {
    beside: Object.fromEntries(
      reasons.map(({ reason, shared }) => [
        reason,
        { short: REASONS[reason].short, isDetailed: shared === undefined },
      ]),
    ),
    notes: reasons.map(({ reason, unreadable, shared }) => ({
      reason,
      head: `${countText(unreadable.length, frames.length)} ${reason === 'no_source' ? 'without code' : 'not readable'}:`,
      why: REASONS[reason].sentence + (shared === undefined || shared === '' ? '' : `: ${shared}`),
      steps: reasonSteps(reason, {
        ...place,
        release: event.release,
        dist: event.dist,
        scriptUrl: scriptOf(unreadable),
      }),
    })),
    repair,
  }
}

function framesOf({ exception = [], threads = [] }: Pick<NormalizedEvent, 'exception' | 'threads'>): Frame[] {
  return [...exception, ...threads].flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
}

const countText = (count: number, all: number): string =>
  count === all
    ? all === 1
      ? 'The frame is'
      : `${all === 2 ? 'Both' : `All ${all}`} frames are`
    : `${count} of ${all} frames ${count === 1 ? 'is' : 'are'}`

/** The same for all of them, empty when there is none; undefined: they differ, and each stands at its frame. */
function sharedDetail(frames: readonly Frame[]): string | undefined {
  const [detail, ...more] = new Set(frames.map(({ problem }) => problem?.detail ?? ''))
  return more.length === 0 ? detail : undefined
}

/** Of the most recent frame of the application. */
function scriptOf(frames: readonly Frame[]): string | undefined {
  const told = frames.findLast(({ in_app: isOurs }) => isOurs) ?? frames.at(-1)
  return told?.abs_path ?? told?.filename
}
