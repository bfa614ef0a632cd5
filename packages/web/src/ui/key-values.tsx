import type { Json } from '@sonde/protocol/event'
import { JsonValue } from './json-value.tsx'

const MAX_ROWS = 300

/** Names and values as a table. `caption` names it for screen readers. */
export function KeyValues({
  caption,
  rows,
}: {
  readonly caption: string
  readonly rows: readonly (readonly [string, Json])[]
}) {
  return (
    <table className="key-values">
      <caption className="sr-only">{caption}</caption>
      <tbody>
        {rows.slice(0, MAX_ROWS).map(([key, value], index) => (
          <tr key={`${index} ${key}`}>
            <th scope="row">
              <bdi>{key}</bdi>
            </th>
            <td>
              <JsonValue value={value} />
            </td>
          </tr>
        ))}
      </tbody>
      {rows.length > MAX_ROWS && (
        <tfoot>
          <tr>
            <td colSpan={2} className="muted">
              {rows.length - MAX_ROWS} more rows: see the raw JSON
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  )
}
