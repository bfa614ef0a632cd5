import type { OperatorStatus } from '@sonde/queries'
import { Section } from '../../../ui/section.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import { StateBadge } from './state-badge.tsx'
import { TableFrame } from '../../../parts/figures/table-frame.tsx'

export function PartList({ parts }: Pick<OperatorStatus, 'parts'>) {
  return (
    <Section id="parts" title="Components">
      <TableFrame label="Components and their state">
        <table className="status-table">
          <thead>
            <tr>
              <th scope="col">Component</th>
              <th scope="col">State</th>
              <th scope="col">Details</th>
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
      </TableFrame>
    </Section>
  )
}
