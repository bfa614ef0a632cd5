/** What Sonde is doing and what went wrong with it: its own log, queues, slow statements, and the engine's merges. */
import { formatExact } from '../../../format/format-count.ts'
import { bytesText, spanText } from '../../../parts/figures/figures-text.ts'
import type { OperatorPartition, OperatorWork } from '../../../server/operator-status.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Section, TableFrame } from '../../../ui/section.tsx'
import { Age, Ago } from '../../../ui/time.tsx'

type Log = OperatorWork['logs'][number]

/** Warnings and errors of the processes of this node, the latest first. */
export function OwnProblems({ logs }: { readonly logs: readonly Log[] }) {
  const rows = logs
    .flatMap(({ name, problems }) => problems.map((problem) => ({ name, ...problem })))
    .toSorted((a, b) => b.lastMs - a.lastMs)
  return (
    <Section id="problems" title="Sonde’s own log" note={<LogLevels logs={logs} />}>
      {rows.length === 0 ? (
        <p className="muted">No warnings or errors since the processes started.</p>
      ) : (
        <TableFrame label="Warnings and errors of Sonde itself">
          <table className="status-table">
            <thead>
              <tr>
                <th scope="col">Message</th>
                <th scope="col">Level</th>
                <th scope="col">Process</th>
                <th scope="col" className="col-end">
                  Count
                </th>
                <th scope="col" className="col-end">
                  First
                </th>
                <th scope="col" className="col-end">
                  Last
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, level, message, error, count, firstMs, lastMs, requestId }) => (
                <tr key={`${name} ${level} ${message}`}>
                  <th scope="row" className="dead-reason">
                    {message}
                    {error !== '' && <div className="muted">{error}</div>}
                    {requestId !== undefined && <div className="muted">Request ID: {requestId}</div>}
                  </th>
                  <td>
                    <Badge tone={level === 'warn' ? 'attention' : 'bad'}>{level}</Badge>
                  </td>
                  <td className="muted">{name}</td>
                  <td className="col-end">{formatExact(count)}</td>
                  <td className="col-end">
                    <Age atMs={firstMs} />
                  </td>
                  <td className="col-end">
                    <Age atMs={lastMs} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </Section>
  )
}

function LogLevels({ logs }: { readonly logs: readonly Log[] }) {
  const words = logs.map(({ name, level, configured, forMs }) => {
    const until = forMs === undefined ? '' : ` for ${spanText(forMs)} more, then ${configured}`
    return `${name} ${level}${until}`
  })
  return <>log level: {words.join(', ')}</>
}

type QueuesProps = {
  readonly queues: OperatorWork['queues']
  readonly partitions: readonly OperatorPartition[]
}

/** What waits behind the log. Those with something to do first. */
export function Queues({ queues, partitions }: QueuesProps) {
  const rows = queues.toSorted((a, b) => Number((b.waiting ?? 1) > 0) - Number((a.waiting ?? 1) > 0))
  return (
    <Section id="queues" title="Queues">
      <TableFrame label="Queues of background work">
        <table className="status-table">
          <thead>
            <tr>
              <th scope="col">Queue</th>
              <th scope="col" className="col-end">
                Waiting
              </th>
              <th scope="col" className="col-end">
                Oldest
              </th>
            </tr>
          </thead>
          <tbody>
            {partitions.map(({ stream, records, bytes, oldestAgeMs }) => (
              <tr key={stream}>
                <th scope="row">log {stream}</th>
                <td className="col-end" title={`${formatExact(bytes)} bytes`}>
                  {formatExact(records)}
                </td>
                <td className="col-end">{records === 0 ? '–' : spanText(oldestAgeMs)}</td>
              </tr>
            ))}
            {rows.map(({ name, waiting, oldestMs }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="col-end">{waiting === undefined ? 'not available' : formatExact(waiting)}</td>
                <td className="col-end">{oldestMs === undefined ? '–' : <Age atMs={oldestMs} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </Section>
  )
}

export function SlowStatements({ slow }: Pick<OperatorWork, 'slow'>) {
  return (
    <Section id="slow" title="Slow queries" note="telemetry statements over 200 ms in the last hour">
      {slow.length === 0 ? (
        <p className="muted">None.</p>
      ) : (
        <TableFrame label="Slowest telemetry statements of the last hour">
          <table className="status-table">
            <thead>
              <tr>
                <th scope="col">Statement</th>
                <th scope="col">Asked by</th>
                <th scope="col" className="col-end">
                  Rows
                </th>
                <th scope="col" className="col-end">
                  Time
                </th>
                <th scope="col" className="col-end">
                  When
                </th>
              </tr>
            </thead>
            <tbody>
              {slow.map(({ name, origin, requestId, atMs, tookMs, rows, hasFailed }) => (
                <tr key={`${name} ${origin}`}>
                  <th scope="row" className="dead-reason">
                    {name} {hasFailed && <Badge tone="bad">failed</Badge>}
                  </th>
                  <td className="dead-reason" title={requestId && `request ${requestId}`}>
                    {origin === '' ? '–' : origin}
                  </td>
                  <td className="col-end">{formatExact(rows)}</td>
                  <td className="col-end">{(tookMs / 1000).toFixed(1)} s</td>
                  <td className="col-end">
                    <Age atMs={atMs} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </Section>
  )
}

type Engine = { readonly work: Pick<OperatorWork, 'tables' | 'merges' | 'mutations'> }

/** From here on inserts slow down; the engine's own limit is 1,000 (`parts_to_delay_insert`). */
const MANY_PARTS = 500

export function EngineWork({ work: { tables, merges, mutations } }: Engine) {
  return (
    <Section id="engine" title="Telemetry tables" note={runningText(merges.length, mutations.length)}>
      {(merges.length > 0 || mutations.length > 0) && (
        <ul className="status-note">
          {merges.map(({ table, elapsedMs, progress, parts, bytes }) => (
            <li key={`${table} ${parts} ${bytes}`}>
              Merging {parts} parts of {table} ({bytesText(bytes)}): {Math.round(progress * 100)}% after{' '}
              {spanText(elapsedMs)}
            </li>
          ))}
          {mutations.map(({ table, sinceMs, partsLeft, hasFailed }) => (
            <li key={`${table} ${sinceMs}`}>
              Changing stored rows of {table}: {partsLeft} parts left, began <Ago atMs={sinceMs} />
              {hasFailed ? '; the last try failed, and it is tried again' : ''}
            </li>
          ))}
        </ul>
      )}
      <TableFrame label="Telemetry tables and their parts">
        <table className="status-table">
          <thead>
            <tr>
              <th scope="col">Table</th>
              <th scope="col" className="col-end">
                Rows
              </th>
              <th scope="col" className="col-end">
                Parts
              </th>
              <th scope="col" className="col-end">
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {tables.map(({ table, rows, parts, mostParts, bytes }) => (
              <tr key={table}>
                <th scope="row">{table}</th>
                <td className="col-end">{formatExact(rows)}</td>
                <td className="col-end" title={`at most ${mostParts} in one partition`}>
                  {mostParts >= MANY_PARTS && <Badge tone="attention">many</Badge>} {formatExact(parts)}
                </td>
                <td className="col-end" title={`${formatExact(bytes)} bytes`}>
                  {bytesText(bytes)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </Section>
  )
}

const runningText = (merges: number, mutations: number): string =>
  `${merges} ${merges === 1 ? 'merge' : 'merges'} and ${mutations} ${mutations === 1 ? 'mutation' : 'mutations'} running`
