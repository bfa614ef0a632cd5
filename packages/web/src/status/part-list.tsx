import { formatBytes } from '../format/format-count.ts'
import type { OperatorStatus } from '../server/operator-parts.ts'
import { Section } from '../ui/section.tsx'
import { UserText } from '../ui/user-text.tsx'
import { StateBadge } from './state-badge.tsx'

type PartListProps = Pick<OperatorStatus, 'parts' | 'residentBytes'>

export function PartList({ parts, residentBytes }: PartListProps) {
  return (
    <Section
      id="parts"
      title="Parts"
      note={`the process of stores, pipeline and screens holds ${formatBytes(residentBytes)} of memory`}
    >
      <div className="table-frame">
        <table className="status-table">
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col">State</th>
              <th scope="col">What it says</th>
            </tr>
          </thead>
          <tbody>
            {parts.map(({ name, state, detail }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <StateBadge state={state} />
                </td>
                <td>
                  <UserText text={detail} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}
