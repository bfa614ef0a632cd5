/** What people wrote about the issue's events. */
import type { UserReport } from '@sonde/queries'
import { Link } from '@sonde/router'
import { countOf } from '../../../../../format/format-count.ts'
import { paths } from '../../../../../paths.ts'
import { Section } from '../../../../../ui/section.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'

type Props = { readonly org: string; readonly project: string; readonly reports: readonly UserReport[] }

export function UserReports({ org, project, reports }: Props) {
  if (reports.length === 0) return null
  return (
    <Section id="user-reports" title="User reports" note={countOf(reports.length, 'report')}>
      <ul className="user-reports">
        {reports.map(({ issueId, name, email, message, receivedMs }) => (
          <li key={issueId}>
            <Link className="text-link" to={paths.feedback(org, project, issueId)} prefetch="none">
              <UserText text={name || email || 'Anonymous'} />
            </Link>{' '}
            <span className="muted">
              <Ago atMs={receivedMs} />
            </span>
            <p>
              <UserText text={message === '' ? '(no words)' : message} />
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
