import type { SqlExample, SqlTable } from '@sonde/queries'
import { Form, Link } from '@sonde/router'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { ExploreNav } from '../../../parts/explore/explore-nav.tsx'
import { paths } from '../../../paths.ts'
import { EmptyState } from '../../../ui/section.tsx'
import type { SqlRefusal } from './load-sql.server.ts'
import { type ShownAnswer, SqlResult } from './sql-result.tsx'

type SqlEditorProps = {
  readonly org: string
  readonly q: string
  readonly maxChars: number
  readonly isRefused: boolean
  readonly refusedAt: number | undefined
}

const LEAST_LINES = 7
const MOST_LINES = 24

/** A text area whose text is posted: nothing runs without a press. An address can fill it. */
function SqlEditor({ org, q, maxChars, isRefused, refusedAt }: SqlEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const lines = q.split('\n').length + 1
  // Where it was refused is where somebody goes on writing.
  useEffect(() => {
    if (refusedAt === undefined) return
    area.current?.focus({ preventScroll: true })
    area.current?.setSelectionRange(refusedAt, refusedAt)
  }, [refusedAt])
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <Form action={paths.sql(org)} className="sql-form">
      <textarea
        ref={area}
        className="input sql-text"
        name="q"
        aria-label="Query"
        aria-describedby={isRefused ? 'sql-refusal' : 'sql-keys'}
        aria-invalid={isRefused || undefined}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        defaultValue={q}
        placeholder="SELECT op, count() FROM spans GROUP BY op ORDER BY count() DESC"
        rows={Math.min(MOST_LINES, Math.max(LEAST_LINES, lines))}
        maxLength={maxChars}
        required
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        dir="ltr"
        onKeyDown={press}
      />
      <div className="sql-run">
        <button type="submit" className="button button-primary">
          Run
        </button>
        <span id="sql-keys" className="muted">
          <kbd>Ctrl</kbd> or <kbd>⌘</kbd> + <kbd>Enter</kbd>. Up to 10 s and 1,000 rows, one query at a time.
        </span>
      </div>
    </Form>
  )
}

type Props = {
  readonly org: string
  /** In the field: of the address, or what was run. */
  readonly q: string
  readonly isOn: boolean
  readonly maySwitch: boolean
  readonly maxChars: number
  readonly tables: readonly SqlTable[]
  readonly examples: readonly SqlExample[]
  readonly answer?: ShownAnswer | undefined
  readonly refusal?: SqlRefusal | undefined
}

/** A read-only console over the rows of the organization's projects. */
export function SqlScreen({ org, q, isOn, maySwitch, maxChars, tables, examples, answer, refusal }: Props) {
  return (
    <div className="page page-wide">
      <div className="explore-head">
        <h1 className="sr-only">SQL</h1>
        <ExploreNav org={org} project={undefined} here="sql" />
        <p className="muted">Read-only ClickHouse SQL over this organization’s data.</p>
      </div>
      {isOn ? (
        <div className="sql-columns">
          <div className="sql-main">
            <SqlEditor
              key={q}
              org={org}
              q={q}
              maxChars={maxChars}
              isRefused={refusal !== undefined}
              refusedAt={refusal?.at}
            />
            {q !== '' && !answer && !refusal && (
              <p className="muted" role="status">
                This query comes from a link and has not run. Review it, then press Run.
              </p>
            )}
            {refusal && <SqlRefusalNote q={q} refusal={refusal} />}
            {answer && <SqlResult org={org} q={q} answer={answer} />}
            {q === '' && <SqlExamples org={org} examples={examples} />}
          </div>
          <SqlSchema tables={tables} />
        </div>
      ) : (
        <EmptyState title="The SQL console is disabled" docs="explore">
          <p>
            {maySwitch
              ? 'Nobody in this organization can run queries.'
              : 'An owner of this organization can enable it.'}
          </p>
        </EmptyState>
      )}
      {maySwitch && (
        <details className="fold sql-switch">
          <summary>Access</summary>
          <p className="muted">
            Anyone who can read all events of the organization. Every query is written to the audit log.
          </p>
          <Form>
            <input type="hidden" name="console" value={isOn ? 'off' : 'on'} />
            <button type="submit" className="button">
              {isOn ? 'Disable the console' : 'Enable the console'}
            </button>
          </Form>
        </details>
      )}
    </div>
  )
}

/** What can be asked for, one fold a table. */
function SqlSchema({ tables }: { readonly tables: readonly SqlTable[] }) {
  return (
    <aside className="sql-schema" aria-labelledby="sql-schema">
      <h2 id="sql-schema">Tables</h2>
      {tables.map(({ name, about, columns }) => (
        <details key={name} className="fold">
          <summary>
            <code>{name}</code> <span className="muted">{about}</span>
          </summary>
          <dl className="sql-fields">
            {columns.map((column) => (
              <div key={column.name}>
                <dt>
                  <code>{column.name}</code>
                </dt>
                <dd className="muted">{column.about}</dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </aside>
  )
}

/** Each link puts it into the field, to be changed or run. */
function SqlExamples({ org, examples }: { readonly org: string; readonly examples: readonly SqlExample[] }) {
  return (
    <section className="sql-examples" aria-labelledby="sql-examples">
      <h2 id="sql-examples">Examples</h2>
      <ul>
        {examples.map(({ title, sql }) => (
          <li key={title}>
            <Link to={paths.sql(org, sql)} prefetch="none">
              {title}
            </Link>
            <pre className="sql-example" tabIndex={0} aria-label={title}>
              {sql}
            </pre>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Why it was not run, and the line in which it stands, with the place marked. */
function SqlRefusalNote({
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
