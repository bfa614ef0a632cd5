/**
 * Frames that come again: the errors of a release name the same few places. What a raw frame became is kept beside its
 * position, and its JSON from the second time on, so that a stack that was seen before costs comparing and joining.
 */
import type { Exception, Frame, NormalizedEvent, Stacktrace, Thread } from '@sonde/protocol/event'

export type SharedFrame = {
  /** As it came. The same object for each that is equal to it. */
  readonly raw: Frame
  readonly calledAs: string | undefined
  readonly mapped: Frame
}

export type SharedFrames<Position extends object> = {
  /** `map` is pure; it is not called where the same was asked of this position the last time. */
  get(position: Position, raw: Frame, calledAs: string | undefined, map: () => Frame): SharedFrame
}

/** Of each position the frame that was made last, as long as the position itself is kept. */
export function shareFrames<Position extends object>(): SharedFrames<Position> {
  const ofPosition = new WeakMap<Position, SharedFrame>()
  return {
    get(position, raw, calledAs, map) {
      const known = ofPosition.get(position)
      if (known && known.calledAs === calledAs && isSame(known.raw, raw)) {
        repeated.add(known.raw)
        repeated.add(known.mapped)
        return known
      }
      const made = { raw, calledAs, mapped: map() }
      ofPosition.set(position, made)
      return made
    },
  }
}

/** The same fields in the same order. Lists and objects are the same only where they are one object. */
function isSame(a: Frame, b: Frame): boolean {
  const keys = Object.keys(a) as (keyof Frame)[]
  const others = Object.keys(b)
  return keys.length === others.length && keys.every((key, at) => key === others[at] && a[key] === b[key])
}

const repeated = new WeakSet<Frame>()
let texts = new WeakMap<Frame, string>()
let characters = 0
/** A frame with its code has one to two thousand; then it begins anew. Of each thread. */
const MAX_CHARACTERS = 8_000_000

function frameJson(frame: Frame): string {
  const known = texts.get(frame)
  if (known !== undefined) return known
  const text = JSON.stringify(frame)
  if (!repeated.has(frame)) return text
  characters += text.length
  if (characters > MAX_CHARACTERS) {
    texts = new WeakMap()
    characters = text.length
  }
  texts.set(frame, text)
  return text
}

/** What `JSON.stringify` makes of it, letter by letter. */
export function eventJson(event: NormalizedEvent): string {
  if (!event.exception?.some(isRead) && !event.threads?.some(isRead)) return JSON.stringify(event)
  return objectJson(event, { exception: entriesJson, threads: entriesJson })
}

type Entry = Exception | Thread
const isRead = (entry: Exception & Thread): boolean => entry.raw_stacktrace !== undefined
const entriesJson = (entries: readonly Entry[]): string =>
  `[${entries.map((entry) => objectJson(entry, { stacktrace: stackJson, raw_stacktrace: stackJson })).join(',')}]`
const stackJson = (stack: Stacktrace): string => objectJson(stack, { frames: framesJson })
const framesJson = (frames: readonly Frame[]): string => `[${frames.map(frameJson).join(',')}]`

type Fields = Readonly<Record<string, unknown>>

function objectJson(object: object, own: Readonly<Record<string, (value: never) => string>>): string {
  const fields = object as Fields
  let text = ''
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    if (value === undefined) continue
    const write = Object.hasOwn(own, key) ? own[key] : undefined
    const written = write ? write(value as never) : JSON.stringify(value)
    if (written !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${written}`
  }
  return `{${text}}`
}
