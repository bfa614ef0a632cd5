/** How each screen's times grow with what is stored, for people. */
import type { Measured, ScreenTimes } from './measure-screens.ts'

/** Milliseconds: the median of the cold requests; p50 and p95 of the warm ones; processor time of one. */
export function growthTable(measured: ReadonlyMap<number, Measured>): string {
  const sizes = [...measured.keys()]
  const last = measured.get(sizes.at(-1) ?? 0)
  const head = [
    'ms: cold / p50 / p95 / processor',
    ...sizes.map((rows) => `${rows.toLocaleString('en')} spans`),
  ]
  const rows = (last?.screens ?? []).map(({ name }) => [
    name,
    ...sizes.map((size) => cell(measured.get(size)?.screens.find((screen) => screen.name === name))),
  ])
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function cell(times: ScreenTimes | undefined): string {
  if (!times) return ''
  const { coldMs, warmP50Ms, warmP95Ms, cpuMs } = times
  return [coldMs, warmP50Ms, warmP95Ms, cpuMs].map((ms) => ms.toFixed(0)).join(' / ')
}
