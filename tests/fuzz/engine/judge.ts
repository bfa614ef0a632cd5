/** Runs one input and says what was wrong, if anything: an error, too much time, a changed prototype. */
import { DEFAULT_MAX_CPU_MS, type OpenTarget, type Target } from './target.ts'

export type Find = {
  /** The same for inputs that show the same defect. */
  readonly signature: string
  readonly detail: string
}

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype] as const
const OWN_KEYS = PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype).length)
// A slow run may be the machine's fault: what is slow three times is the input's.
const TRIES = 3

export type Judge = (input: Buffer) => Promise<Find | undefined>

export function createJudge(target: Target, { run }: OpenTarget): Judge {
  const { maxCpuMs = DEFAULT_MAX_CPU_MS } = target
  const once = async (input: Buffer): Promise<{ cpuMs: number; find: Find | undefined }> => {
    const before = process.threadCpuUsage()
    try {
      const running = run(input)
      if (running) await running
    } catch (error) {
      return { cpuMs: 0, find: findOf(error) }
    }
    const { user, system } = process.threadCpuUsage(before)
    return { cpuMs: (user + system) / 1000, find: pollution() }
  }
  return async (input) => {
    let least = Infinity
    for (let left = TRIES; left > 0; left--) {
      const { cpuMs, find } = await once(input)
      if (find) return find
      least = Math.min(least, cpuMs)
      if (least <= maxCpuMs) return undefined
    }
    return {
      signature: 'slow',
      detail: `slow: ${least.toFixed(0)} ms of processor time; at most ${maxCpuMs} ms are allowed`,
    }
  }
}

/** By its words without what differs from input to input, and the place in our code. */
export function findOf(error: unknown): Find {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const place = /^ +at .*?(packages\/[^\s)]+:\d+)/m.exec(stack)?.[1] ?? ''
  const words = message
    .split('\n', 1)[0]!
    .replaceAll(/"[^"]*"|'[^']*'|[0-9a-f]{8,}|\d+/g, '_')
    .slice(0, 120)
  return {
    signature: `${name}: ${words} ${place}`.trim(),
    detail: stack.includes(message) ? stack : `${message}\n${stack}`,
  }
}

function pollution(): Find | undefined {
  const changed = PROTOTYPES.filter((prototype, at) => Reflect.ownKeys(prototype).length !== OWN_KEYS[at])
  if (changed.length === 0) return undefined
  const keys = changed.flatMap((prototype) => Reflect.ownKeys(prototype).slice(-1).map(String))
  return {
    signature: 'pollution',
    detail: `pollution: a built-in prototype has new keys: ${keys.join(', ')}`,
  }
}
