/** The findings as the Markdown table of README.md: medians, and between them and the spread what is won and lost. */
import { median } from '../report/figure.ts'
import type { Findings, Metric } from './findings.ts'

/** `own`: the system whose gain is told in the last column, against the best of `rivals`. */
export function findingsTable(findings: Findings, own: string, rivals: readonly string[]): string {
  const lines = findings.metrics.map((metric) => [
    metric.unit === '' ? metric.name : `${metric.name}, ${metric.unit}`,
    ...findings.systems.map((system) => cell(findings.values(system, metric))),
    verdict(findings, metric, own, rivals),
  ])
  const head = ['', ...findings.systems, own]
  return [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function cell(values: readonly number[]): string {
  if (values.length === 0) return '–'
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const middle = amount(median(values))
  return least === most ? middle : `${middle} (${amount(least)}–${amount(most)})`
}

function verdict(findings: Findings, metric: Metric, own: string, rivals: readonly string[]): string {
  const ours = findings.values(own, metric)
  const theirs = rivals.flatMap((rival) => {
    const values = findings.values(rival, metric)
    return values.length === 0 ? [] : [median(values)]
  })
  if (ours.length === 0 || theirs.length === 0) return ''
  const best = metric.better === 'more' ? Math.max(...theirs) : Math.min(...theirs)
  const mine = median(ours)
  if (mine === best) return 'the same'
  const [large, small] = [Math.max(mine, best), Math.min(mine, best)]
  const isBetter = metric.better === 'more' ? mine > best : mine < best
  const times = small === 0 ? '' : ` ${amount(large / small)} ×`
  return `${isBetter ? 'better' : '**worse**'}${times}`
}

function amount(value: number): string {
  const digits =
    value === 0 || Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}
