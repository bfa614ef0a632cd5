/** Frames of a page while an element in it is scrolled by script, one movement a frame. */
import type { Locator } from 'playwright-core'

export type ScrollWay =
  | { readonly kind: 'still' }
  | { readonly kind: 'steps'; readonly px: number }
  /** To a place anywhere, as the thumb of a scrollbar is dragged: nothing of what was rendered can stay. */
  | { readonly kind: 'jumps' }

export type FrameTimes = {
  readonly perSec: number
  readonly p95Ms: number
  readonly longestMs: number
  /** Frames that came more than half a frame late. */
  readonly late: number
  readonly mostRows: number
}

export async function framesOf(grid: Locator, way: ScrollWay, count: number): Promise<FrameTimes> {
  const { times, mostRows } = await grid.evaluate(
    (element, { way: given, count: wanted }) =>
      new Promise<{ times: number[]; mostRows: number }>((resolve) => {
        element.scrollTop = 0
        const frameTimes: number[] = []
        let rows = 0
        // A task of its own after the frame: the lines that came into sight are there by then.
        const channel = new MessageChannel()
        channel.port1.addEventListener('message', () => {
          rows = Math.max(rows, element.querySelectorAll('[role=row]').length)
        })
        channel.port1.start()
        // Asked once: asking in each frame would make the browser lay out before it must.
        const most = element.scrollHeight - element.clientHeight
        const move = (n: number): void => {
          // The same places each time.
          if (given.kind === 'jumps') element.scrollTop = ((n * 7_919) % 1_000) * (most / 1_000)
          if (given.kind === 'steps') element.scrollTop = (n * given.px) % most
        }
        const frame = (atMs: number): void => {
          frameTimes.push(atMs)
          if (frameTimes.length > wanted) {
            resolve({ times: frameTimes, mostRows: rows })
            return
          }
          move(frameTimes.length)
          channel.port2.postMessage(0)
          requestAnimationFrame(frame)
        }
        requestAnimationFrame(frame)
      }),
    { way, count },
  )
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  const sorted = gaps.toSorted((a, b) => a - b)
  const at95 = (values: readonly number[]): number =>
    values[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN
  return {
    perSec: 1000 / (gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length),
    p95Ms: at95(sorted),
    longestMs: sorted.at(-1) ?? Number.NaN,
    late: gaps.filter((gap) => gap > 25).length,
    mostRows,
  }
}
