import { formatBytes, formatExact, formatShare } from '../format/format-count.ts'
import type { OperatorStatus } from '../server/operator-parts.ts'
import { Section } from '../ui/section.tsx'

export function DiskUse({ disk }: Pick<OperatorStatus, 'disk'>) {
  const { stores, freeBytes, totalBytes } = disk
  const used = stores.reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <Section
      id="disk"
      title="Disk"
      note={
        freeBytes === undefined || totalBytes === undefined
          ? undefined
          : `${diskText(freeBytes)} free of ${diskText(totalBytes)} (${formatShare(freeBytes, totalBytes)})`
      }
    >
      <div className="table-frame">
        <table className="status-table">
          <thead>
            <tr>
              <th scope="col">Store</th>
              <th scope="col">Holds</th>
              <th scope="col" className="col-end">
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {stores.map(({ name, holds, bytes }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="muted">{holds}</td>
                <td className="col-end" title={`${formatExact(bytes)} bytes`}>
                  {diskText(bytes)}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All</th>
              <td />
              <td className="col-end">{diskText(used)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
    </Section>
  )
}

/** Disks are larger than bodies: gigabytes too. */
const diskText = (bytes: number): string =>
  bytes < 999_950_000 ? formatBytes(bytes) : `${(bytes / 1_000_000_000).toFixed(1)} GB`
