import '../../../../parts/figures/status.css'
import type { ReceivedData as Received } from '@sonde/queries'
import { formatBytes } from '../../../../format/format-count.ts'
import { Count } from '../../../../ui/count.tsx'
import { TableFrame } from '../../../../ui/section.tsx'

/** How an item ends, as people say it. */
const COLUMNS = [
  ['accepted', 'Accepted'],
  ['filtered', 'Filtered'],
  ['rate_limited', 'Rate limited'],
  ['invalid', 'Invalid'],
  ['failed', 'Failed'],
  ['unsupported', 'Unsupported'],
  ['client_discard', 'Discarded by the SDK'],
] as const

/** What became of all that came with the project's keys, and what came that Sonde has no place for. */
export function ReceivedData({ categories, unknownKinds }: Received) {
  if (categories.length === 0)
    return (
      <p className="muted">
        Nothing was received in the last 7 days. Send an event with one of the keys above.
      </p>
    )
  const shown = COLUMNS.filter(
    ([outcome]) => outcome === 'accepted' || categories.some(({ counts }) => counts[outcome] > 0),
  )
  return (
    <>
      <TableFrame label="Received items by category">
        <table className="status-table">
          <thead>
            <tr>
              <th scope="col">Category</th>
              {shown.map(([outcome, name]) => (
                <th key={outcome} scope="col" className="col-end">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {categories.map(({ category, counts }) => (
              <tr key={category}>
                <th scope="row">{category.replaceAll('_', ' ')}</th>
                {shown.map(([outcome]) => (
                  <td key={outcome} className="col-end">
                    <Quantity category={category} value={counts[outcome]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      {unknownKinds.length > 0 && (
        <>
          <p>
            These items are of a type that this version of Sonde does not know: they are counted, not stored.
          </p>
          <TableFrame label="Unknown item types by SDK">
            <table className="status-table">
              <thead>
                <tr>
                  <th scope="col">Item type</th>
                  <th scope="col">SDK</th>
                  <th scope="col" className="col-end">
                    Items
                  </th>
                </tr>
              </thead>
              <tbody>
                {unknownKinds.map(({ kind, sdk, items }) => (
                  <tr key={`${kind} ${sdk}`}>
                    <td>
                      <code>{kind}</code>
                    </td>
                    <td>{sdk}</td>
                    <td className="col-end">
                      <Count value={items} noun="item" />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableFrame>
        </>
      )}
    </>
  )
}

/** `log_byte` and `trace_metric_byte` are sizes, all others numbers of items. */
function Quantity({ category, value }: { readonly category: string; readonly value: number }) {
  if (value === 0) return <span className="muted">0</span>
  return category.endsWith('_byte') ? (
    <span className="num">{formatBytes(value)}</span>
  ) : (
    <Count value={value} noun="item" />
  )
}
