import type { AlertRuleRow } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { useRef } from 'react'
import { paths } from '../../../../paths.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { useTimeText } from '../../../../ui/page-clock.tsx'
import { Ago, ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { RuleActions } from './rule-actions.tsx'
import { useAlertKeys } from './use-alert-keys.ts'

export type ListedRule = Omit<AlertRuleRow, 'value'> & {
  readonly words: string
  readonly search: string
  readonly tells: string
  /** Empty: nobody. */
  readonly owner: string
  readonly schedule: string
}

type Props = { readonly rules: readonly ListedRule[]; readonly mayWrite: boolean }

/** What each rule fires on, whom it tells, and how it is. */
export function RuleList({ rules, mayWrite }: Props) {
  const list = useRef<HTMLUListElement>(null)
  useAlertKeys(list)
  return (
    <ul ref={list} className="alert-list">
      {rules.map((rule) => (
        <li key={rule.id} className={rule.isEnabled ? undefined : 'alert-off'}>
          <RuleLine rule={rule} />
          {mayWrite && <RuleActions rule={rule} />}
        </li>
      ))}
    </ul>
  )
}

const KINDS: Readonly<Record<ListedRule['kind'], string>> = {
  issue: 'issues',
  metric: 'metric',
  release: 'release',
}

function RuleLine({ rule }: { readonly rule: ListedRule }) {
  const { org, project } = useParams<'org' | 'project'>()
  const { id, name, kind, words, search, tells, owner, schedule, trouble, lastFiredMs, openIncidents } = rule
  return (
    <div className="alert-line">
      <h2 className="alert-name">
        <Link to={paths.alertRule(org, project, id)} prefetch="intent">
          <UserText text={name} />
        </Link>{' '}
        <Badge>{KINDS[kind]}</Badge> <RuleState rule={rule} />
      </h2>
      <p>
        {words}
        {search !== '' && (
          <>
            {' '}
            for <UserText className="alert-search" text={search} />
          </>
        )}
      </p>
      <p className="muted">
        Tells <UserText text={tells} />
        {owner !== '' && (
          <>
            {' · '}owner <UserText text={owner} />
          </>
        )}
        {schedule !== '' && ` · ${schedule}`} ·{' '}
        {lastFiredMs === undefined ? (
          'never fired'
        ) : (
          <>
            last fired <Ago atMs={lastFiredMs} />
          </>
        )}
        {openIncidents > 0 && (
          <>
            {' · '}
            <Link to={paths.incidents(org, project, { state: 'open', rule: String(id) })}>
              {openIncidents === 1 ? '1 open incident' : `${openIncidents} open incidents`}
            </Link>
          </>
        )}
      </p>
      {trouble !== '' && (
        <p className="field-error">
          Can’t be evaluated: <UserText text={trouble} />
        </p>
      )}
    </div>
  )
}

export function RuleState({
  rule: { isEnabled, mutedUntilMs },
}: {
  readonly rule: Pick<ListedRule, 'isEnabled' | 'mutedUntilMs'>
}) {
  const isMuted = useTimeText((nowMs) => (mutedUntilMs !== undefined && mutedUntilMs > nowMs ? 'muted' : ''))
  if (!isEnabled) return <Badge>off</Badge>
  if (isMuted === '' || mutedUntilMs === undefined) return <Badge tone="good">on</Badge>
  return (
    <Badge tone="attention">
      muted until <ExactTime atMs={mutedUntilMs} />
    </Badge>
  )
}
