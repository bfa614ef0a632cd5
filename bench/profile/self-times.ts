/** Where a thread's time went, of a profile as `node --cpu-prof` writes it (Chrome DevTools Protocol, `Profiler.Profile`). */

export type CpuProfile = {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[]
  /** Microseconds of the monotonic clock. */
  readonly startTime: number
  readonly samples: readonly number[]
  /** Microseconds from the sample before. */
  readonly timeDeltas: readonly number[]
}
type CallFrame = { readonly functionName: string; readonly url: string; readonly lineNumber: number }

/** Not work of the thread: it waits. */
const IDLE = '(idle)'
/** Regular expressions have their text as name. */
const LONGEST_NAME = 60

export type Window = { readonly fromMicros: number; readonly toMicros: number }

/** Microseconds by function within a window of the monotonic clock, the dearest first. */
export function selfTimes(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  { fromMicros, toMicros }: Window,
): readonly (readonly [name: string, micros: number])[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const spent = new Map<string, number>()
  let atMicros = startTime
  for (const [at, id] of samples.entries()) {
    const delta = timeDeltas[at] ?? 0
    atMicros += delta
    const name = names.get(id) ?? ''
    if (atMicros < fromMicros || atMicros > toMicros || name === IDLE) continue
    spent.set(name, (spent.get(name) ?? 0) + delta)
  }
  return [...spent].toSorted(([, a], [, b]) => b - a)
}

/** A bundler numbers functions of one name. Without one, the file says more than nothing. */
function nameOf({ functionName, url, lineNumber }: CallFrame): string {
  if (functionName !== '') return functionName.replace(/\$\d+$/, '').slice(0, LONGEST_NAME)
  const file = url.slice(url.lastIndexOf('/') + 1).replace(/-[\w-]{8}(?=\.js$)/, '')
  return file === '' ? 'of the engine' : `a function in ${file}:${lineNumber + 1}`
}
