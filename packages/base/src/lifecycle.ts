/**
 * Starts parts in the order of what they need and stops them in reverse. A part is data: its name,
 * what it needs, and a `start` that returns a `stop`.
 */
import { SondeError } from './errors.ts'
import type { Logger } from './logger.ts'

export type Stop = () => Promise<void> | void

export type Part = {
  readonly name: string
  /** Names of parts that must run before this one starts and after it stopped. */
  readonly needs: readonly string[]
  start(): Promise<Stop> | Stop
}

/** Throws on a name that nobody offers and on a cycle, before anything starts. */
export function startOrder(parts: readonly Part[]): Part[] {
  const byName = new Map(parts.map((part) => [part.name, part]))
  const ordered: Part[] = []
  const state = new Map<string, 'visiting' | 'done'>()
  const visit = (name: string, path: readonly string[]): void => {
    const part = byName.get(name)
    if (!part)
      throw new SondeError('internal', `no part is called "${name}"`, {
        operation: 'order the parts',
        subject: path.join(' → '),
      })
    if (state.get(name) === 'done') return
    if (state.get(name) === 'visiting') {
      throw new SondeError('internal', `parts need each other: ${[...path, name].join(' → ')}`, {
        operation: 'order the parts',
      })
    }
    state.set(name, 'visiting')
    for (const need of part.needs) visit(need, [...path, name])
    state.set(name, 'done')
    ordered.push(part)
  }
  for (const part of parts) visit(part.name, [])
  return ordered
}

/** If a part fails to start, those already running are stopped and the error is thrown on. */
export async function startParts(parts: readonly Part[], logger: Logger): Promise<Stop> {
  const running: { name: string; stop: Stop }[] = []
  const stopAll = async (): Promise<void> => {
    for (let next = running.pop(); next; next = running.pop()) {
      try {
        await next.stop()
      } catch (error) {
        logger.error({ err: error, part: next.name }, 'a part failed to stop')
      }
    }
  }
  for (const part of startOrder(parts)) {
    try {
      running.push({ name: part.name, stop: await part.start() })
    } catch (error) {
      await stopAll()
      throw error
    }
  }
  return stopAll
}
