import { formatExact } from '../../../format/format-count.ts'
import { bytesText, spanText } from '../../../parts/figures/figures-text.ts'
import type { OperatorStatus } from '../../../server/operator-status.ts'
import { Section, TableFrame } from '../../../ui/section.tsx'

type Props = {
  readonly processes: readonly (Omit<Process, 'privateBytes'> & { privateBytes?: number | undefined })[]
}
type Process = OperatorStatus['processes'][number]

const DOES = {
  front: 'ingest, write-ahead log',
  back: 'processing, storage, API and UI',
} as const

export function ProcessList({ processes }: Props) {
  return (
    <Section id="processes" title="Processes">
      {processes.length === 0 ? (
        <p className="muted">Not available on this operating system.</p>
      ) : (
        <TableFrame label="Process resource usage">
          <table className="status-table">
            <thead>
              <tr>
                <th scope="col">Process</th>
                <th scope="col">Role</th>
                <th scope="col" className="col-end">
                  {' '}
                  Uptime{' '}
                </th>
                <th scope="col" className="col-end">
                  Memory
                </th>
                <th scope="col" className="col-end">
                  Private
                </th>
                <th scope="col" className="col-end">
                  CPU
                </th>
              </tr>
            </thead>
            <tbody>
              {processes.map(({ name, pid, uptimeMs, rssBytes, privateBytes, cpuShare }) => (
                <tr key={pid}>
                  <th scope="row" title={`process ${pid}`}>
                    {name}
                  </th>
                  <td className="muted">{DOES[name]}</td>
                  <td className="col-end">{spanText(uptimeMs)}</td>
                  <td className="col-end" title={`${formatExact(rssBytes)} bytes resident`}>
                    {bytesText(rssBytes)}
                  </td>
                  <td
                    className="col-end"
                    title="unique set size: memory that would be freed if the process ended"
                  >
                    {privateBytes === undefined ? '–' : bytesText(privateBytes)}
                  </td>
                  <td className="col-end" title="of one core, since the last refresh">
                    {Math.round(cpuShare * 100)}%
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
