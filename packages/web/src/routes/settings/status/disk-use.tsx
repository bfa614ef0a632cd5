import type { OperatorStatus } from '@sonde/queries'
import { formatExact, formatShare } from '../../../format/format-count.ts'
import { bytesText } from '../../../parts/figures/figures-text.ts'
import { Section } from '../../../ui/section.tsx'
import { TableFrame } from '../../../parts/figures/table-frame.tsx'

const HOLDS = {
  telemetry: 'events, spans and aggregates',
  log: 'write-ahead log of received data',
  records: 'issues, projects, users',
  blobs: 'attachments and dead letters',
} as const

export function DiskUse({ disk }: Pick<OperatorStatus, 'disk'>) {
  const { engines, dataBytes, freeBytes, sizeBytes } = disk
  return (
    <Section
      id="disk"
      title="Disk"
      note={`${bytesText(freeBytes)} free of ${bytesText(sizeBytes)} (${formatShare(freeBytes, sizeBytes)})`}
    >
      <TableFrame label="Disk usage by store">
        <table className="status-table">
          <thead>
            <tr>
              <th scope="col">Store</th>
              <th scope="col">Contents</th>
              <th scope="col" className="col-end">
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {engines.map(({ name, bytes }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="muted">{HOLDS[name]}</td>
                <td className="col-end" title={`${formatExact(bytes)} bytes`}>
                  {bytesText(bytes)}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td />
              <td className="col-end">{bytesText(dataBytes)}</td>
            </tr>
          </tfoot>
        </table>
      </TableFrame>
    </Section>
  )
}
