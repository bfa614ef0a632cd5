/** Which frames of a stack are shown, and which are folded together. Pure, so that it is tested without a page. */
import type { Frame } from '@sonde/protocol/event'

export type FrameItem =
  | { readonly kind: 'frame'; readonly frame: Frame; readonly index: number }
  /** Frames of libraries next to each other. */
  | { readonly kind: 'group'; readonly frames: readonly Frame[]; readonly firstIndex: number }
  /** The SDK left frames out here to keep the event small. */
  | { readonly kind: 'omitted'; readonly count: number }

export type FrameView = 'in-app' | 'all'

/** A single library frame is shown: a fold in its place would be as long. */
const MIN_GROUP = 2

/**
 * Most recent call first; SDKs send the oldest first. `index` counts from the most recent. In the view `all`, and in a
 * stack without any frame of the application, nothing is folded.
 */
export function frameItems(
  frames: readonly Frame[],
  view: FrameView,
  omitted?: readonly [number, number],
): FrameItem[] {
  const items: FrameItem[] = []
  const isFolding = view === 'in-app' && frames.some((frame) => frame.in_app)
  let run: { frame: Frame; index: number }[] = []
  const endRun = (): void => {
    const [first] = run
    if (first && run.length >= MIN_GROUP) {
      items.push({ kind: 'group', frames: run.map(({ frame }) => frame), firstIndex: first.index })
    } else for (const entry of run) items.push({ kind: 'frame', ...entry })
    run = []
  }
  const cut = omittedPlace(frames, omitted)
  for (const [index, frame] of frames.toReversed().entries()) {
    if (cut && index === cut.beforeIndex) {
      endRun()
      items.push({ kind: 'omitted', count: cut.count })
    }
    if (isFolding && !frame.in_app) run.push({ frame, index })
    else {
      endRun()
      items.push({ kind: 'frame', frame, index })
    }
  }
  endRun()
  return items
}

/** Whether the views differ for any of the stacks. */
export function hasFolds(stacks: readonly (readonly Frame[])[]): boolean {
  return stacks.some((frames) => frameItems(frames, 'in-app').some((item) => item.kind === 'group'))
}

/** `frames_omitted` is a range of positions in the original list, oldest first; its end is not in it. */
function omittedPlace(frames: readonly Frame[], omitted: readonly [number, number] | undefined) {
  if (!omitted) return undefined
  const [from, to] = omitted
  const count = to - from
  if (count <= 0 || from < 0 || from > frames.length) return undefined
  return { beforeIndex: Math.min(frames.length - 1, Math.max(0, frames.length - from)), count }
}

/** Where in a frame the code stands: `src/cart.ts:42:17`. Empty when nothing is known. */
export function frameLocation(frame: Frame): string {
  const place = frame.filename ?? frame.abs_path ?? frame.module ?? frame.package ?? ''
  if (frame.lineno === undefined) return place
  return `${place}:${frame.lineno}${frame.colno === undefined ? '' : `:${frame.colno}`}`
}

export function frameFunction(frame: Frame): string {
  return frame.function ?? frame.raw_function ?? frame.instruction_addr ?? '<unknown>'
}

export type CodeLine = {
  readonly number: number | undefined
  readonly text: string
  readonly isCurrent: boolean
}

/** The lines around the call, numbered where the number is known. */
export function codeLines(frame: Frame): CodeLine[] {
  if (frame.context_line === undefined) return []
  const before = frame.pre_context ?? []
  const numberOf = (offset: number): number | undefined => {
    const number = frame.lineno === undefined ? undefined : frame.lineno + offset
    return number === undefined || number < 1 ? undefined : number
  }
  return [
    ...before.map((text, index) => ({
      number: numberOf(index - before.length),
      text,
      isCurrent: false,
    })),
    { number: numberOf(0), text: frame.context_line, isCurrent: true },
    ...(frame.post_context ?? []).map((text, index) => ({
      number: numberOf(index + 1),
      text,
      isCurrent: false,
    })),
  ]
}
