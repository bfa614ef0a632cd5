/** Functions by how much their share of the work changed: the table form of the flame graph. */
import type { FunctionDifference } from '@sonde/queries'
import { formatExact } from '../../../../../format/format-count.ts'
import { pointsText, shareText } from './difference-text.ts'

type Props = { readonly rows: readonly FunctionDifference[]; readonly search: string }

const COLUMNS = ['Self before', 'Self after', 'Points', 'Total before', 'Total after', 'Samples']

export function DifferenceTable({ rows, search }: Props) {
  const wanted = search.trim().toLowerCase()
  const shown = wanted === '' ? rows : rows.filter((row) => row.function.toLowerCase().includes(wanted))
  return (
    <div className="perf-scroll" role="region" aria-label="Table of differences" tabIndex={0}>
      <table className="perf-table">
        <caption className="sr-only">Functions, the largest difference of self time first</caption>
        <thead>
          <tr>
            <th scope="col">Function</th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" className="col-num">
                {name}
              </th>
            ))}
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={`${row.function} ${row.file}`}>
              <th scope="row" className="perf-name">
                <bdi>{row.function}</bdi> <bdi className="muted">{row.file}</bdi>
              </th>
              <td className="num col-num">{shareText(row.self.before)}</td>
              <td className="num col-num">{shareText(row.self.after)}</td>
              <td className="num col-num">{pointsText(row.self.after - row.self.before)}</td>
              <td className="num col-num">{shareText(row.total.before)}</td>
              <td className="num col-num">{shareText(row.total.after)}</td>
              <td className="num col-num">
                {formatExact(row.samples.before)} → {formatExact(row.samples.after)}
              </td>
              <td>{verdict(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p className="muted">No function has this name.</p>}
    </div>
  )
}

function verdict({ isTooFew, self, total }: FunctionDifference) {
  if (isTooFew) return <span className="muted">too few samples</span>
  if (total.before === 0) return 'new'
  if (total.after === 0) return 'gone'
  const by = self.after - self.before
  if (Math.abs(by) < 0.0005) return 'same'
  return by > 0 ? 'more' : 'less'
}
