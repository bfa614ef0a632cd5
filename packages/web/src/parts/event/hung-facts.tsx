/** Of a navigation that hung: from where to where, in which phase, what it waited for and for how long. */
import { Link, useParams } from '@sonde/router'
import { formatDuration } from '../../format/format-time.ts'
import { paths } from '../../paths.ts'
import { TableFrame } from '../../ui/section.tsx'
import { UserText } from '../../ui/user-text.tsx'
import type { HungNavigation } from './evidence.ts'

type Props = { readonly navigation: HungNavigation; readonly waitedMs: number }

export function HungFacts({ navigation, waitedMs }: Props) {
  const { org, project } = useParams() as { org: string; project?: string }
  const { id, from, to, outcome, phase, requests, trigger, router } = navigation
  return (
    <>
      <p>
        {ENDS[outcome] ?? 'Reported as hanging'} after {formatDuration(waitedMs)}, on the way from{' '}
        {from === '' ? 'an unknown page' : <UserText text={from} />} to <UserText text={to} />
        {PHASES[phase] === undefined ? '' : `, while it ${PHASES[phase]}`}.{' '}
        {project !== undefined && (
          <Link className="text-link" to={paths.navigations(org, project, id)} prefetch="none">
            What became of this navigation
          </Link>
        )}
      </p>
      {requests.length > 0 ? (
        <TableFrame label="Requests that had not been answered">
          <table className="evidence-spans">
            <thead>
              <tr>
                <th scope="col">Unanswered request</th>
                <th scope="col" className="evidence-number num">
                  Open for
                </th>
              </tr>
            </thead>
            <tbody>
              {requests.map(({ name, waitedMs: openMs }) => (
                <tr key={name}>
                  <td className="evidence-name">
                    <UserText text={name} />
                  </td>
                  <td className="evidence-number num">
                    {openMs === undefined ? <span className="muted">–</span> : formatDuration(openMs)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      ) : (
        <p className="muted">No request of the navigation was open.</p>
      )}
      {(trigger !== '' || router !== '') && (
        <p className="muted evidence-note">
          Set off by: <UserText text={trigger === '' ? 'unknown' : trigger.replaceAll('_', ' ')} />
          {router !== '' && (
            <>
              {' '}
              · Router: <UserText text={router} />
            </>
          )}
        </p>
      )}
    </>
  )
}

const ENDS: Readonly<Record<string, string>> = {
  pending: 'Still loading',
  timed_out: 'Given up',
  left: 'Left by the person',
}
const PHASES: Readonly<Record<string, string>> = {
  match: 'had not begun to load anything',
  data: 'waited for page data',
  chunk: 'waited for code',
  commit: 'rendered',
}
