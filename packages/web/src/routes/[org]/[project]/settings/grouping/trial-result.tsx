import { Link, useParams } from '@sonde/router'
import { paths } from '../../../../../paths.ts'
import { UserText } from '../../../../../ui/user-text.tsx'
import { MAX_TRIED_EVENTS, summarize, type Target, type TrialPage } from './trial-summary.ts'
import type { TrialState } from './use-trial.ts'

const MAX_SHOWN = 50

type Props = { readonly state: TrialState; readonly posted: TrialPage | undefined }

/** What the rules in the form would do to recent events. */
export function TrialResult({ state, posted }: Props) {
  const trial = state.trial ?? posted
  return (
    <div className="trial" role="status">
      {state.isRunning && (
        <p>
          <label>
            Testing on recent events{' '}
            <progress max={MAX_TRIED_EVENTS} value={state.trial?.events.length ?? 0} />
          </label>
        </p>
      )}
      {state.failure !== undefined && <p className="field-error">{state.failure}</p>}
      {trial && !state.isRunning && <TrialSummaryView trial={trial} />}
    </div>
  )
}

function TrialSummaryView({ trial }: { readonly trial: TrialPage }) {
  const { tried, changed, changedFrames, merges, splits, moves, rules } = summarize(trial)
  if (tried === 0)
    return <p>There are no events of the last 90 days to test on. Send some events, then test again.</p>
  return (
    <>
      <p>
        {changed === 0
          ? `The last ${events(tried)} would be grouped as they are now.`
          : `${changed} of the last ${events(tried)} would be grouped differently. Nothing was changed.`}
        {changedFrames > 0 && ` Stack-trace rules would change ${changedFrames} frames.`}
      </p>
      {rules.length > 0 && (
        <>
          <h3>Rules that matched</h3>
          <ul className="trial-list">
            {rules.slice(0, MAX_SHOWN).map(({ rule, events: count, fingerprints }) => (
              <li key={rule}>
                <code>
                  <UserText text={rule} />
                </code>
                <span className="muted">
                  {' '}
                  {events(count)}, fingerprint <UserText text={fingerprints.join(' · ')} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {merges.length > 0 && (
        <>
          <h3>Would merge</h3>
          <ul className="trial-list">
            {merges.slice(0, MAX_SHOWN).map(({ into, issues }) => (
              <li key={into.hash}>
                {issues.slice(0, MAX_SHOWN).map((issue) => (
                  <IssueLink key={issue.id} issue={issue} />
                ))}
                <TargetText target={into} />
              </li>
            ))}
          </ul>
        </>
      )}
      {splits.length > 0 && (
        <>
          <h3>Would split</h3>
          {trial.keepsIssues && (
            <p className="muted">
              Issues are kept while the project moves: parts that are seen during that time stay in the issue.
            </p>
          )}
          <ul className="trial-list">
            {splits.slice(0, MAX_SHOWN).map(({ issue, into }) => (
              <li key={issue.id}>
                <IssueLink issue={issue} />
                <ul className="trial-list">
                  {into.slice(0, MAX_SHOWN).map((target) => (
                    <li key={target.hash}>
                      <TargetText target={target} />
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </>
      )}
      {moves.length > 0 && (
        <>
          <h3>Would continue in a new issue</h3>
          <ul className="trial-list">
            {moves.slice(0, MAX_SHOWN).map(({ issue, into }) => (
              <li key={issue.id}>
                <IssueLink issue={issue} /> <TargetText target={into} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

const events = (count: number): string => (count === 1 ? '1 event' : `${count} events`)

type IssueProps = { readonly issue: TrialPage['issues'][number] }

function IssueLink({ issue: { shortId, title } }: IssueProps) {
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <span className="trial-issue">
      <Link to={paths.issue(org, project, shortId)}>{shortId}</Link> <UserText text={title} />
    </span>
  )
}

/** Where events would be. */
function TargetText({ target: { owner, title, fingerprint, events: count } }: { readonly target: Target }) {
  return (
    <span className="muted">
      {'→ '}
      {owner ? owner.shortId : 'new issue'}: <UserText text={title} /> ({events(count)}, by{' '}
      <UserText text={fingerprint} />)
    </span>
  )
}
