import type { Json, JsonObject } from '@sonde/protocol/event'
import { countOf, formatExact } from '../format/format-count.ts'
import { LongText } from './user-text.tsx'

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

/** Values an SDK sent along: short ones in the line, large ones folded. React escapes; nothing here is markup. */
const MAX_ENTRIES = 200
/** What is small and not deep is shown at once. */
const OPEN_ENTRIES = [8, 5, 3]

export function JsonValue({ value, depth = 0 }: { readonly value: Json; readonly depth?: number }) {
  if (typeof value === 'string')
    return value === '' ? <Empty text="empty" /> : <LongText text={value} max={600} />
  if (value === null || typeof value !== 'object') return <span className="atom">{String(value)}</span>
  const entries = Object.entries(value)
  const isList = Array.isArray(value)
  if (entries.length === 0) return <Empty text={isList ? '[]' : '{}'} />
  const nested = <Entries entries={entries} depth={depth + 1} />
  if (entries.length <= (OPEN_ENTRIES[depth] ?? 0)) return nested
  return (
    <details className="fold">
      <summary>{isList ? countOf(entries.length, 'item') : countOf(entries.length, 'key')}</summary>
      {nested}
    </details>
  )
}

function Entries({
  entries,
  depth,
}: {
  readonly entries: readonly [string, Json][]
  readonly depth: number
}) {
  return (
    <ul className="entries">
      {entries.slice(0, MAX_ENTRIES).map(([key, entry]) => (
        <li key={key}>
          <bdi className="entry-key">{key}</bdi> <JsonValue value={entry} depth={depth} />
        </li>
      ))}
      {entries.length > MAX_ENTRIES && (
        <li className="muted">+{formatExact(entries.length - MAX_ENTRIES)} more (view raw JSON)</li>
      )}
    </ul>
  )
}

function Empty({ text }: { readonly text: string }) {
  return <span className="muted">{text}</span>
}

/** The value's fields that a person may want to see: `type` only repeats the title. */
export function fieldsOf(object: JsonObject, hidden: readonly string[] = []): [string, Json][] {
  return Object.entries(object).filter(([key]) => !hidden.includes(key))
}
