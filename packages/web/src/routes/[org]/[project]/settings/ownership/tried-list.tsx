import type { Decision, TriedRules } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { paths } from '../../../../../paths.ts'
import { Ago } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'

export type ShownTrial = TriedRules | { readonly failure: string }

export const problemText = ({ line, reason }: { readonly line: number; readonly reason: string }): string =>
  `line ${line}: ${reason}`

/** What the rules would say of the newest events: who would be assigned, and by which line. */
export function TriedList({ shown }: { readonly shown: ShownTrial }) {
  const { org, project } = useParams<'org' | 'project'>()
  if ('failure' in shown) return <p className="field-error">{shown.failure}</p>
  const { events, sample } = shown
  const owned = events.filter(({ owner }) => owner !== undefined).length
  return (
    <>
      {sample && (
        <p className="ownership-sample">
          What you typed: <DecisionText decision={sample} />
        </p>
      )}
      {events.length === 0 ? (
        <p>No events yet: send one, and try the rules on it here.</p>
      ) : (
        <p>
          {owned} of the newest events of {events.length === 1 ? '1 issue' : `${events.length} issues`} would
          have an owner.
        </p>
      )}
      <ul className="ownership-events">
        {events.map((event) => (
          <li key={event.eventId}>
            <Link to={paths.event(org, project, event.shortId, event.eventId)} prefetch="intent">
              <UserText text={event.title} />
            </Link>{' '}
            <span className="muted">
              {event.shortId} · <Ago atMs={event.timestampMs} />
            </span>
            <p>
              <DecisionText decision={event} />
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

function DecisionText({ decision: { rule, owner, others } }: { readonly decision: Decision }) {
  if (!rule || !owner) return <span className="muted">no rule matches</span>
  return (
    <>
      <strong>
        <UserText text={owner.kind === 'team' ? owner.text : owner.name} />
      </strong>{' '}
      by line {rule.line}: <code>{rule.text}</code>{' '}
      <span className="muted">
        matches <UserText text={rule.matched} />
        {others > 0 && `; ${others} more ${others === 1 ? 'rule matches' : 'rules match'}`}
      </span>
    </>
  )
}
