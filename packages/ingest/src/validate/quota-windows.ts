/**
 * Fixed windows that begin with the first item: across a boundary up to twice the quota may pass. A window counts what this
 * process let in and what others said that they let in (share-windows.ts); without others it is exact.
 */
import type { TakenWindow } from '@sonde/base'

export type QuotaWindow = {
  /** Let in since it began, by all processes as far as this one knows. */
  readonly taken: number
  readonly endsAtMs: number
}

export type QuotaWindows = {
  /** The window of `id` that runs now, or a new one; another length begins a new one too. */
  open(id: string, lengthMs: number, nowMs: number): QuotaWindow
  take(window: QuotaWindow, quantity: number): void
  readonly sharing: WindowSharing
}

/** What share-windows.ts needs of them. Quantities are those since the window began: hearing one twice changes nothing. */
export type WindowSharing = {
  /** From now on it is noted which windows changed. */
  begin(): void
  /** At most so many windows that changed and were not asked for since; those that are over are left out. */
  changed(max: number, nowMs: number): readonly TakenWindow[]
  /** As if nothing had changed since it was asked. */
  forgetChanges(): void
  changes(): number
  /** What `process` let in as far as it is known, or this process itself, in all windows that run. */
  all(process: string | undefined, nowMs: number): readonly TakenWindow[]
  /** Another process let in so much. */
  heard(process: string, window: TakenWindow, nowMs: number): void
}

type Window = {
  readonly id: string
  readonly lengthMs: number
  endsAtMs: number
  taken: number
  /** Of `taken`: let in here. */
  own: number
  /** Of `taken`: process → let in there. */
  others: Map<string, number> | undefined
  isChanged: boolean
}

// Keys × categories × scopes of a large installation; beyond it, the oldest windows begin anew.
const MAX_WINDOWS = 100_000
// Processes that were restarted since the window began count too; of the oldest the quantity is kept, not the name.
const MAX_OTHERS = 64
// Clocks of the machines agree to within a second or two; whatever ends later is a mistake.
const MAX_AHEAD_MS = 10_000

export function createQuotaWindows(maxWindows: number = MAX_WINDOWS): QuotaWindows {
  const windows = new Map<string, Window>()
  let changed: Window[] | undefined

  const begin = (id: string, lengthMs: number, endsAtMs: number): Window => {
    const window: Window = { id, lengthMs, endsAtMs, taken: 0, own: 0, others: undefined, isChanged: false }
    windows.delete(id) // so that `set` moves it to the end: Map order is eviction order
    windows.set(id, window)
    const oldest = windows.keys().next()
    if (windows.size > maxWindows && !oldest.done) windows.delete(oldest.value)
    return window
  }

  /** Undefined: what was heard is of a window before the one that runs here. */
  const placeOf = ([id, lengthMs, endsAtMs]: TakenWindow, nowMs: number): Window | undefined => {
    const known = windows.get(id)
    if (!known || known.endsAtMs <= nowMs) return begin(id, lengthMs, endsAtMs)
    // One of the two has not read the changed limit yet.
    if (known.lengthMs !== lengthMs) return undefined
    const laterMs = endsAtMs - known.endsAtMs
    // Two processes began at nearly the same moment, or clocks differ: what lies closer is the same window, and ends with
    // the first of them.
    if (laterMs < -lengthMs / 2) return undefined
    if (laterMs > lengthMs / 2) return begin(id, lengthMs, endsAtMs)
    known.endsAtMs = Math.min(known.endsAtMs, endsAtMs)
    return known
  }

  return {
    open(id, lengthMs, nowMs) {
      const known = windows.get(id)
      // One that ends later than it may is of before somebody set the clock back: it would hold for as long as that was.
      const isRunning = known && known.endsAtMs > nowMs && known.endsAtMs <= nowMs + lengthMs + MAX_AHEAD_MS
      if (isRunning && known.lengthMs === lengthMs) return known
      return begin(id, lengthMs, nowMs + lengthMs)
    },
    take(opened, quantity) {
      const window = opened as Window
      window.taken += quantity
      window.own += quantity
      if (window.isChanged || !changed) return
      window.isChanged = true
      changed.push(window)
    },
    sharing: {
      begin: () => void (changed ??= []),
      changed(max, nowMs) {
        const told = changed?.splice(0, max) ?? []
        for (const window of told) window.isChanged = false
        return told.filter(({ endsAtMs }) => endsAtMs > nowMs).map((window) => takenOf(window, window.own))
      },
      forgetChanges() {
        for (const window of changed?.splice(0) ?? []) window.isChanged = false
      },
      changes: () => changed?.length ?? 0,
      all: (process, nowMs) =>
        [...windows.values()].flatMap((window) => {
          const quantity = process === undefined ? window.own : (window.others?.get(process) ?? 0)
          return quantity > 0 && window.endsAtMs > nowMs ? [takenOf(window, quantity)] : []
        }),
      heard(process, heard, nowMs) {
        const [, lengthMs, endsAtMs, quantity] = heard
        if (endsAtMs <= nowMs || endsAtMs > nowMs + lengthMs + MAX_AHEAD_MS) return
        const window = placeOf(heard, nowMs)
        if (!window) return
        window.others ??= new Map()
        const before = window.others.get(process) ?? 0
        if (quantity <= before) return
        window.taken += quantity - before
        window.others.set(process, quantity)
        const oldest = window.others.keys().next()
        if (window.others.size > MAX_OTHERS && !oldest.done) window.others.delete(oldest.value)
      },
    },
  }
}

const takenOf = ({ id, lengthMs, endsAtMs }: Window, quantity: number): TakenWindow => [
  id,
  lengthMs,
  endsAtMs,
  quantity,
]
