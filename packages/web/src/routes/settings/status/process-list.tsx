import type { OperatorStatus } from '@sonde/queries'
import { formatExact } from '../../../format/format-count.ts'
import { Section } from '../../../ui/section.tsx'
import { bytesText, spanText } from '../../../parts/figures/figures-text.ts'
import { TableFrame } from '../../../parts/figures/table-frame.tsx'

type Props = {
  readonly processes: readonly (Omit<Process, 'privateBytes'> & { privateBytes?: number | undefined })[]
}
type Process = OperatorStatus['processes'][number]

const DOES = {
  front: 'takes what is sent, writes the log',
  back: 'stores it, shows the screens',
} as const

export function ProcessList({ processes }: Props) {
  return (
    <Section id="processes" title="Processes">
      {processes.length === 0 ? (
        <p className="muted">This system does not tell what they use.</p>
      ) : (
        <TableFrame label="What the processes use">
          <table className="status-table">
            <thead>
              <tr>
                <th scope="col">Process</th>
                <th scope="col">Does</th>
                <th scope="col" className="col-end">
                  Runs for
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
                  <td className="col-end" title="what would be free without it">
                    {privateBytes === undefined ? '–' : bytesText(privateBytes)}
                  </td>
                  <td className="col-end" title="of one core, since the last look">
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
