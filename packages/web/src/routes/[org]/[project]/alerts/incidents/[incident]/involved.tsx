import type { MetricRule } from '@sonde/alerts'
import { valueText } from '@sonde/alerts/contract'
import type { MetricRoute, NamedIssue } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { formatExact } from '../../../../../../format/format-count.ts'
import { paths } from '../../../../../../paths.ts'
import { Section } from '../../../../../../ui/section.tsx'
import { UserText } from '../../../../../../ui/user-text.tsx'

type Props = {
  readonly metric: MetricRule['metric']
  readonly issues: readonly (NamedIssue & { readonly count: number })[]
  readonly routes: readonly MetricRoute[]
}

/** What had most to do with it: busiest issues, worst routes. Nothing of a kind: nothing said. */
export function Involved({ metric, issues, routes }: Props) {
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <>
      {issues.length > 0 && (
        <Section id="issues" title="Busiest issues" note="While it lasted.">
          <ul className="alert-fired">
            {issues.map(({ id, shortId, title, count }) => (
              <li key={id}>
                <Link to={paths.issue(org, project, shortId)} prefetch="intent">
                  {shortId}
                </Link>
                <UserText text={title} />
                <span className="muted">
                  {formatExact(count)} {count === 1 ? 'event' : 'events'}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {routes.length > 0 && (
        <Section id="routes" title="Routes most involved" note="While it lasted.">
          <ul className="alert-fired">
            {routes.map(({ route, value, count }) => (
              <li key={route}>
                <UserText text={route} />
                {value !== null && <span>{valueText(metric, value)}</span>}
                <span className="muted">of {formatExact(count)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
