/** Lines, the newest first; each opens to all that came with it. */
import type { LogLine } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { useState } from 'react'
import { termFor } from '../../../../parts/explore/term-for.ts'
import { paths } from '../../../../paths.ts'
import { ClockTime, ExactTime } from '../../../../ui/time.tsx'
import { LongText, UserText } from '../../../../ui/user-text.tsx'
import { type LogSearch, toggledColumn, withLogs, withTerm } from './log-search.ts'

type Issues = Readonly<Record<string, { readonly id: number; readonly title: string }>>
type Props = {
  readonly org: string
  readonly project: string
  readonly search: LogSearch
  readonly lines: readonly LogLine[]
  /** By trace. */
  readonly issues: Issues
}

const KNOWN = new Set(['fatal', 'error', 'warn', 'info', 'debug', 'trace'])
const classOf = (severity: string): string => `log-${KNOWN.has(severity) ? severity : 'other'}`

export function LogList({ lines, ...props }: Props) {
  return (
    <ol className="log-list" aria-label="Log lines">
      {lines.map((line) => (
        <li key={line.id}>
          <Line line={line} {...props} />
        </li>
      ))}
    </ol>
  )
}

function Line({ line, ...props }: Omit<Props, 'lines'> & { readonly line: LogLine }) {
  const [isOpen, setOpen] = useState(false)
  const { severity, body, atMs, attributes } = line
  return (
    <details className="log-line" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <ClockTime atMs={atMs} />
        <span className={`log-severity ${classOf(severity)}`}>{severity}</span>
        <span className="log-body" dir="auto">
          {body === '' ? <span className="muted">(empty)</span> : body.slice(0, 500)}
        </span>
        {props.search.columns.map((name) => (
          <span key={name} className="log-column" title={name}>
            <span className="muted">{name}</span> <UserText text={String(attributes[name] ?? '–')} />
          </span>
        ))}
      </summary>
      {isOpen && <Detail line={line} {...props} />}
    </details>
  )
}

/** Stated above as the line's own. */
const STATED = new Set(['sentry.release', 'sentry.environment'])

function Detail({ line, org, project, search, issues }: Omit<Props, 'lines'> & { readonly line: LogLine }) {
  const { traceId, spanId, body, atMs, release, environment, user, sdk } = line
  const issue = traceId === '' ? undefined : issues[traceId]
  const facts = Object.entries({ severity: line.severity, release, environment, user })
  const attributes = Object.entries(line.attributes)
    .filter(([key]) => !STATED.has(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return (
    <div className="log-detail">
      <p className="log-text">
        <LongText text={body} />
      </p>
      <p className="log-links">
        <ExactTime atMs={atMs} />
        {traceId !== '' && (
          <>
            <Link to={paths.trace(org, traceId, spanId === '' ? undefined : spanId)} prefetch="none">
              {spanId === '' ? 'View trace' : 'View span in trace'}
            </Link>
            <Link
              to={paths.logs(org, project, { query: `trace:${traceId}`, statsPeriod: '90d' })}
              prefetch="none"
            >
              Logs of this trace
            </Link>
          </>
        )}
        {issue && (
          <Link to={paths.issue(org, project, String(issue.id))} prefetch="none">
            Issue: <UserText text={issue.title} />
          </Link>
        )}
        {sdk !== '' && <span className="muted">{sdk}</span>}
      </p>
      <table className="key-values">
        <caption className="sr-only">Attributes</caption>
        <tbody>
          {facts.map(([key, value]) =>
            value === '' ? null : <Row key={key} name={key} value={value} search={search} />,
          )}
          {attributes.map(([key, value]) => (
            <Row key={`attribute ${key}`} name={key} value={value} search={search} isAttribute />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = {
  readonly name: string
  readonly value: string | number
  readonly search: LogSearch
  readonly isAttribute?: true
}

function Row({ name, value, search, isAttribute }: RowProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const term = termFor(name, value)
  const to = (added: string): string =>
    pathname + withLogs(params, { query: withTerm(search.query, added), live: undefined })
  const isColumn = search.columns.includes(name)
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td>
        <LongText text={String(value)} max={600} />{' '}
        <span className="log-row-links">
          <Link to={to(term)} prefetch="none" aria-label={`Only lines with this ${name}`}>
            Filter
          </Link>
          {!term.startsWith('!') && (
            <Link to={to(`!${term}`)} prefetch="none" aria-label={`Only lines without this ${name}`}>
              Exclude
            </Link>
          )}
          {isAttribute && (
            <Link
              to={pathname + toggledColumn(params, name)}
              prefetch="none"
              aria-label={isColumn ? `Remove the column ${name}` : `Show ${name} as a column`}
            >
              {isColumn ? 'Remove column' : 'Column'}
            </Link>
          )}
        </span>
      </td>
    </tr>
  )
}
