import type { ExportRow } from '@sonde/queries'
import { Form } from '@sonde/router'
import { formatBytes, formatExact } from '../../../../format/format-count.ts'
import { EmptyState, TableFrame } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'

export function ExportList({ runs }: { readonly runs: readonly ExportRow[] }) {
  if (runs.length === 0)
    return (
      <EmptyState title="Nothing was exported yet">
        <p>Exports are listed here with how far they are, and where they lie.</p>
      </EmptyState>
    )
  return (
    <TableFrame label="Exports">
      <table className="status-table">
        <thead>
          <tr>
            <th>Asked for</th>
            <th>State</th>
            <th className="num col-end">Files</th>
            <th className="num col-end">Size</th>
            <th>Where</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td>
                <Ago atMs={run.requestedMs} /> <span className="muted">by </span>
                {run.by === 'schedule' ? 'the schedule' : <UserText text={run.by} />}
              </td>
              <td>
                {stateOf(run)}
                {run.trouble !== '' && (
                  <div className="muted">
                    <UserText text={run.trouble} />
                  </div>
                )}
                {run.finishedMs === undefined && (
                  <Form>
                    <input type="hidden" name="form" value="cancel" />
                    <input type="hidden" name="id" value={run.id} />
                    <button type="submit" className="button button-small">
                      Cancel
                    </button>
                  </Form>
                )}
              </td>
              <td className="num col-end">{formatExact(run.files)}</td>
              <td className="num col-end">{formatBytes(run.bytes)}</td>
              <td>{run.place === '' ? <code>{run.folder}</code> : 'where the command line said'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

function stateOf({ state, isRemoved, rows, totalRows, trouble }: ExportRow): string {
  if (isRemoved) return 'Deleted by the schedule'
  if (state === 'runs')
    return totalRows === 0 ? 'Running' : `${Math.floor((100 * rows) / totalRows)} % of the rows`
  if (state === 'waits') return trouble === '' ? 'Waits' : 'Failed; is tried again'
  return { done: 'Done', failed: 'Failed', cancelled: 'Cancelled' }[state]
}
