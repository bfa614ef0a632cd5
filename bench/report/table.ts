/** Figures as text for people. */
import type { Figure } from './figure.ts'

const HEAD = ['', 'figure', 'value', 'against', 'ratio', 'budget', '']

export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure, at) => [
    figure.part === figures[at - 1]?.part ? '' : figure.part,
    figure.name,
    amount(figure.value, figure.unit),
    figure.against ? `${figure.against.name} ${amount(figure.against.value, figure.unit)}` : '',
    figure.against ? percent(figure.value / figure.against.value) : '',
    figure.budget?.text ?? '',
    figure.budget ? (figure.budget.isMet ? 'met' : 'MISSED') : '',
  ])
  const widths = HEAD.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const numeric = new Set([2, 4])
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        numeric.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [line(HEAD), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n')
}

function amount(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`.trim()
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(0)} %`
}
