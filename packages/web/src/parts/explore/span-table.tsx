import { Link } from '@sonde/router'
import type { ExploreTable, ExploreValue } from '@sonde/queries'
import { paths } from '../../paths.ts'
import { ExactTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { ExploreCell, isNumeric } from './explore-value.tsx'

/** Shown by the first cell, which leads to the trace. */
const IDS = ['timestamp', 'trace', 'id']

/** Single spans, the newest first; each leads to its place in its trace. */
export function SpanTable({ org, table }: { readonly org: string; readonly table: ExploreTable }) {
  const indexes = new Map(table.columns.map(({ field }, index) => [field, index]))
  const valueOf = (row: readonly ExploreValue[], field: string): ExploreValue =>
    row[indexes.get(field) ?? -1] ?? null
  const columns = table.columns.flatMap((column, index) =>
    IDS.includes(column.field) ? [] : [{ ...column, index }],
  )
  return (
    <div className="perf-scroll" role="region" aria-label="Spans" tabIndex={0}>
      <table className="perf-table explore-table">
        <thead>
          <tr>
            <th scope="col">Begin</th>
            {columns.map(({ field, kind }) => (
              <th key={field} scope="col" className={isNumeric(kind) ? 'col-num' : undefined}>
                <UserText text={field} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => {
            const id = String(valueOf(row, 'id'))
            return (
              <tr key={id}>
                <td>
                  <Link to={paths.trace(org, String(valueOf(row, 'trace')), id)} prefetch="none">
                    <ExactTime atMs={Number(valueOf(row, 'timestamp'))} />
                  </Link>
                </td>
                {columns.map(({ field, kind, index }) => (
                  <td key={field} className={isNumeric(kind) ? 'col-num' : 'perf-name'}>
                    <ExploreCell kind={kind} value={row[index] ?? null} />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
