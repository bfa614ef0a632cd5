/** How many lines there were over time, by severity: bars as the server draws them, and the same as a table. */
import type { LogSeries, Severity } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { spanText, tickTexts } from '../../../../charts/axis-text.ts'
import { stepName } from '../../../../charts/chart-series.ts'
import { countOf, formatExact } from '../../../../format/format-count.ts'
import { zoomedTo } from '../../../../parts/performance/transaction-search.ts'
import { useIsInBrowser } from '../../../../ui/page-clock.tsx'
import { withLogs, withTerm } from './log-search.ts'

const ORDER: readonly Severity[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'other']
const BAR = 8
const GAP = 2
const HEIGHT = 100

export function LogChart({ series, query }: { readonly series: LogSeries; readonly query: string }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const zone = useIsInBrowser() ? 'local' : 'utc'
  const { counts, bySeverity, fromMs, toMs, stepMs, total } = series
  const peak = Math.max(1, ...counts)
  const totals = ORDER.map((word) => ({
    word,
    total: bySeverity[word].reduce((sum, count) => sum + count, 0),
  })).filter((each) => each.total > 0)
  const startOf = (index: number): number => fromMs + index * stepMs
  const zoomTo = (index: number): string =>
    pathname + zoomedTo(params, { fromMs: startOf(index), toMs: startOf(index + 1) })
  return (
    <figure className="chart log-chart" dir="ltr">
      <figcaption className="chart-caption">
        <strong>Log lines</strong> <span className="chart-total">{countOf(total, 'line', 'lines')}</span>{' '}
        <span className="muted">
          {spanText(fromMs, toMs, zone)}
          {zone === 'utc' && ' UTC'}, per {stepName(stepMs).replace(/^one /, '')}
        </span>
        <ul className="log-legend" aria-label="Lines by severity">
          {totals.map(({ word, total: lines }) => (
            <li key={word}>
              <SeverityLink word={word} query={query} />{' '}
              <span className="num muted">{formatExact(lines)}</span>
            </li>
          ))}
        </ul>
      </figcaption>
      <svg
        className="log-bars"
        viewBox={`0 0 ${counts.length * (BAR + GAP)} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        {counts.map((count, index) => {
          if (count === 0) return null
          let top = HEIGHT
          return ORDER.toReversed().map((word) => {
            const size = ((bySeverity[word][index] ?? 0) / peak) * HEIGHT
            if (size === 0) return null
            top -= size
            return (
              <rect
                key={`${index} ${word}`}
                className={`log-${word}`}
                x={index * (BAR + GAP) + GAP / 2}
                y={top}
                width={BAR}
                height={size}
              />
            )
          })
        })}
      </svg>
      <p className="log-ends num" aria-hidden="true">
        <span>{tickTexts([fromMs, toMs], zone)[0]}</span>
        <span>{tickTexts([fromMs, toMs], zone)[1]}</span>
      </p>
      <details className="fold chart-data">
        <summary>Show data table</summary>
        <table className="chart-table">
          <caption className="sr-only">Log lines over time; intervals without lines are omitted</caption>
          <thead>
            <tr>
              <th scope="col">Time {zone === 'utc' && '(UTC)'}</th>
              {totals.map(({ word }) => (
                <th key={word} scope="col" className="col-num">
                  {word}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {counts.map((count, index) =>
              count === 0 ? null : (
                <tr key={index}>
                  <th scope="row">
                    <Link to={zoomTo(index)} prefetch="none" title="Zoom to this interval">
                      {spanText(startOf(index), startOf(index + 1), zone)}
                    </Link>
                  </th>
                  {totals.map(({ word }) => (
                    <td key={word} className="num col-num">
                      {formatExact(bySeverity[word][index] ?? 0)}
                    </td>
                  ))}
                </tr>
              ),
            )}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

/** Narrows to the severity; what others call theirs has no word in common. */
function SeverityLink({ word, query }: { readonly word: Severity; readonly query: string }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const mark = <span className={`log-dot log-${word}`} aria-hidden="true" />
  if (word === 'other') return <>{mark} other</>
  return (
    <Link to={pathname + withLogs(params, { query: withTerm(query, `severity:${word}`) })} prefetch="none">
      {mark} {word}
    </Link>
  )
}
