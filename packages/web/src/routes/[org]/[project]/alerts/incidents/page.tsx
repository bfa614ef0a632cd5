import '../../../../../parts/forms/settings.css'
import '../alerts.css'
import type { IncidentRow } from '@sonde/queries'
import { Link, useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import { useRef } from 'react'
import { paths } from '../../../../../paths.ts'
import { EmptyState } from '../../../../../ui/section.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { AlertHead } from '../alert-head.tsx'
import { useAlertKeys } from '../use-alert-keys.ts'
import { readIncidentSearch, ROWS, STATES } from './incident-search.ts'
import { IncidentState } from './incident-state.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Incidents · Sonde'

const STATE_NAMES = { open: 'Open', resolved: 'Resolved', '': 'All' } as const

export default function Incidents() {
  const { rows, total, ruleName, mayWrite } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const [params] = useSearchParams()
  const { state, ruleId, page } = readIncidentSearch(params)
  const list = useRef<HTMLUListElement>(null)
  useAlertKeys(list)
  const rule = ruleId === undefined ? undefined : String(ruleId)
  return (
    <div className="page">
      <h1 className="sr-only">Incidents of {project}</h1>
      <AlertHead at="incidents" mayWrite={mayWrite}>
        <nav className="segmented segmented-small" aria-label="State">
          {STATES.map((each) => (
            <Link
              key={each}
              to={paths.incidents(org, project, { state: each === '' ? undefined : each, rule })}
              prefetch="none"
              aria-current={each === state ? 'true' : undefined}
            >
              {STATE_NAMES[each]}
            </Link>
          ))}
        </nav>
      </AlertHead>
      {ruleName !== undefined && (
        <p className="alert-narrowed">
          Of the rule <UserText text={ruleName} />.{' '}
          <Link to={paths.incidents(org, project, { state: state === '' ? undefined : state })}>
            Show those of all rules
          </Link>
        </p>
      )}
      {rows.length === 0 ? (
        <EmptyState title={state === 'open' ? 'No open incidents' : 'No incidents'}>
          <p>
            An incident is opened when <Link to={paths.alerts(org, project)}>an alert rule</Link> fires.
          </p>
        </EmptyState>
      ) : (
        <>
          <ul ref={list} className="alert-list">
            {rows.map((row) => (
              <IncidentLine key={row.id} row={row} />
            ))}
          </ul>
          <Pages page={page} total={total} />
        </>
      )}
    </div>
  )
}

function IncidentLine({ row }: { readonly row: IncidentRow }) {
  const { org, project } = useParams<'org' | 'project'>()
  const { id, ruleName, issue, startedMs, resolvedMs, acknowledgedBy, acknowledgedMs } = row
  return (
    <li>
      <div className="alert-line">
        <h2 className="alert-name">
          <Link to={paths.incident(org, project, id)} prefetch="intent">
            <UserText text={issue === undefined ? ruleName : issue.title} />
          </Link>{' '}
          <IncidentState incident={row} />
        </h2>
        <p className="muted">
          {issue !== undefined && (
            <>
              {issue.shortId} · <UserText text={ruleName} /> ·{' '}
            </>
          )}
          began <Ago atMs={startedMs} />
          {resolvedMs !== undefined && (
            <>
              , resolved <Ago atMs={resolvedMs} />
            </>
          )}
          {resolvedMs === undefined && acknowledgedMs !== undefined && (
            <>
              {' '}
              · <UserText text={acknowledgedBy} /> looks after it
            </>
          )}
        </p>
      </div>
    </li>
  )
}

function Pages({ page, total }: { readonly page: number; readonly total: number }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  if (total <= ROWS) return null
  const to = (next: number): string => {
    const search = new URLSearchParams(params)
    search.set('page', String(next))
    return `${pathname}?${search.toString()}`
  }
  return (
    <nav className="alert-buttons" aria-label="Pages of incidents">
      {page > 1 && (
        <Link className="button button-small" to={to(page - 1)} prefetch="intent">
          Newer
        </Link>
      )}
      {page * ROWS < total && (
        <Link className="button button-small" to={to(page + 1)} prefetch="intent">
          Older
        </Link>
      )}
    </nav>
  )
}
