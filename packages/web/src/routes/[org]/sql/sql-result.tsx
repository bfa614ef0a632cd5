import { formatBytes, formatCount, formatExact } from '../../../format/format-count.ts'
import { formatDuration } from '../../../format/format-time.ts'
import { paths } from '../../../paths.ts'
import { UserText } from '../../../ui/user-text.tsx'

export type ShownAnswer = {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** The first of them, as texts. */
  readonly rows: readonly (readonly (string | null)[])[]
  readonly rowCount: number
  readonly isCut: boolean
  readonly rowsRead: number
  readonly bytesRead: number
  readonly elapsedMs: number
}

const NUMBER = /^(?:Nullable\()?(?:LowCardinality\()?(?:U?Int|Float|Decimal|BFloat)/

/** Rows as the engine gave them, with types, and what they cost. */
export function SqlResult({
  org,
  q,
  answer,
}: {
  readonly org: string
  readonly q: string
  readonly answer: ShownAnswer
}) {
  const { columns, rows, rowCount, isCut } = answer
  return (
    <section className="sql-result" aria-labelledby="sql-result">
      <div className="sql-cost">
        <h2 id="sql-result">
          {isCut
            ? `The first ${formatExact(rowCount)} rows`
            : `${formatExact(rowCount)} ${rowCount === 1 ? 'row' : 'rows'}`}
        </h2>
        <span className="muted num" title={`${formatExact(answer.rowsRead)} rows read`}>
          {formatDuration(answer.elapsedMs)}, {formatCount(answer.rowsRead)} rows and{' '}
          {formatBytes(answer.bytesRead)} read
        </span>
        <form method="post" action={paths.sqlFile(org)} className="sql-files">
          <input type="hidden" name="q" value={q} />
          <a className="button button-small" href={paths.sql(org, q)}>
            Link to this query
          </a>
          <button type="submit" name="format" value="csv" className="button button-small">
            CSV
          </button>
          <button type="submit" name="format" value="json" className="button button-small">
            JSON
          </button>
        </form>
      </div>
      {isCut && <p className="muted">Results truncated. Add a LIMIT or aggregate.</p>}
      {rowCount === 0 ? (
        <p className="muted">No matching rows.</p>
      ) : (
        <div className="perf-scroll" role="region" aria-label="Result" tabIndex={0}>
          <table className="perf-table sql-table">
            <thead>
              <tr>
                {columns.map(({ name, type }, index) => (
                  <th key={index} scope="col" className={NUMBER.test(type) ? 'col-num' : undefined}>
                    <bdi>{name}</bdi>
                    <span className="sql-type">{type}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  {row.map((value, at) => (
                    <td key={at} className={NUMBER.test(columns[at]?.type ?? '') ? 'col-num num' : undefined}>
                      {value === null ? <span className="muted">null</span> : <UserText text={value} />}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.length < rowCount && (
        <p className="muted">
          {formatExact(rows.length)} of {formatExact(rowCount)} rows shown. Download a file for all of them.
        </p>
      )}
    </section>
  )
}
