import type { SqlRefusal } from './load-sql.server.ts'

/** Why it was not run, and the line in which it stands, with the place marked. */
export function SqlRefusalNote({
  q,
  refusal: { message, hint, at },
}: {
  readonly q: string
  readonly refusal: SqlRefusal
}) {
  const before = at === undefined ? '' : q.slice(0, at)
  const line = before.split('\n').length
  const start = before.lastIndexOf('\n') + 1
  const end = q.indexOf('\n', at)
  const text = q.slice(start, end === -1 ? undefined : end)
  const column = before.length - start
  const word = /^\w+|^./su.exec(text.slice(column))?.[0] ?? ''
  return (
    <div className="search-refusal" id="sql-refusal" role="alert">
      <p className="field-error">
        {message.charAt(0).toUpperCase() + message.slice(1)}
        {at !== undefined && (
          <span className="muted">
            {' '}
            (line {line}, character {column + 1})
          </span>
        )}
        {hint !== undefined && <span className="muted"> {hint}</span>}
      </p>
      {at !== undefined && (
        <code className="refused-query" dir="ltr">
          {text.slice(0, column)}
          <mark>{word === '' ? ' ' : word}</mark>
          {text.slice(column + word.length)}
        </code>
      )}
    </div>
  )
}
