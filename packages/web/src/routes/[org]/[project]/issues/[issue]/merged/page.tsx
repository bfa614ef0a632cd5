import './merged.css'
import '../../../../../../parts/forms/settings.css'
import '../issue.css'
import {
  type DataOf,
  Form,
  Link,
  useActionData,
  usePageData,
  useParams,
  useSearchParams,
} from '@sonde/router'
import { countOf, formatExact } from '../../../../../../format/format-count.ts'
import { NO_FILTER } from '../../../../../../parts/event-filter/event-filter.ts'
import { issueLinks } from '../../../../../../parts/issue/issue-links.ts'
import { paths } from '../../../../../../paths.ts'
import { useRefresh } from '../../../../../../shell/use-refresh.ts'
import { Badge } from '../../../../../../ui/badge.tsx'
import { Section, TableFrame } from '../../../../../../ui/section.tsx'
import { Ago } from '../../../../../../ui/time.tsx'
import { UserText } from '../../../../../../ui/user-text.tsx'
import { IssueTrail } from '../issue-trail.tsx'
import type { action, load } from './page.server.ts'

export const title = ({ issue }: DataOf<typeof load>): string => `Merged issues · ${issue.shortId} · Sonde`

// Rows move by thousands a second.
const REFRESH_MS = 1_000

/** Only these are shown: an address cannot put words into the page. */
const DID: Readonly<Record<string, string>> = {
  merged: 'Issues merged. Their events follow.',
  undone: 'Merge undone.',
  back: 'Issue given back. Its events follow.',
  split: 'Fingerprints split into a new issue. Their events follow.',
}

export default function MergedIssues() {
  const data = usePageData<typeof load>()
  const { issue, members, moving, mayDelete } = data
  const { org, project } = useParams<'org' | 'project'>()
  useRefresh(moving === undefined ? undefined : REFRESH_MS)
  return (
    <div className="page page-narrow">
      <IssueTrail issue={issue} links={issueLinks(org, project, issue.shortId, NO_FILTER)} />
      <div className="page-head">
        <h1>Fingerprints and merged issues</h1>
      </div>
      <Notice />
      {moving && <Moving {...moving} />}
      <Section id="merged" title="Merged issues" note="Given back, each is as it was.">
        {members.length === 0 ? (
          <p>
            No issue was merged into this one. To merge, select issues in{' '}
            <Link to={paths.issues(org, project)}>the list</Link>.
          </p>
        ) : (
          <MemberList {...data} />
        )}
      </Section>
      <Section
        id="fingerprints"
        title="Fingerprints"
        note="Events with one of them are events of this issue."
      >
        <Fingerprints {...data} org={org} project={project} />
      </Section>
      {mayDelete && (
        <Section id="delete" title="Delete" note="With all its events.">
          <p>
            <Link to={paths.deleteIssues(org, project, [issue.id])} className="button button-danger">
              Delete issue
            </Link>
          </p>
        </Section>
      )}
    </div>
  )
}

type Data = DataOf<typeof load>

/** What was done, with the way back, or why not. */
function Notice() {
  const [search] = useSearchParams()
  const refused = useActionData<typeof action>()
  const did = search.get('did') ?? ''
  const undo = search.get('undo')
  const text = Object.hasOwn(DID, did) ? DID[did] : undefined
  if (refused)
    return (
      <p className="field-error" role="alert">
        Nothing was changed: {refused.refused}.
      </p>
    )
  return (
    <div role="status" className="saved-place">
      {text !== undefined && (
        <div className="saved-notice">
          {text}{' '}
          {did === 'merged' && undo !== null && (
            <Form className="line-form">
              <button type="submit" name="undo" value={undo} className="button button-small">
                Undo
              </button>
            </Form>
          )}
        </div>
      )}
    </div>
  )
}

function Moving({ moved, total, trouble }: NonNullable<Data['moving']>) {
  return (
    <div className="moving">
      <label htmlFor="moving">
        Moving events: {formatExact(moved)} of {formatExact(total)}
      </label>
      <progress id="moving" value={moved} max={total} />
      {trouble !== '' && <p className="field-error">{trouble}. It is tried again.</p>}
    </div>
  )
}

function MemberList({ members, mayChange }: Data) {
  return (
    <ul className="key-list">
      {members.map(({ id, shortId, title: name, status, mergedMs, by }) => (
        <li key={id} className="member-line">
          <div>
            <UserText text={name} /> {status !== 'unresolved' && <Badge>{status}</Badge>}
            <p className="muted">
              {shortId} · merged <Ago atMs={mergedMs} />
              {by !== '' && (
                <>
                  {' '}
                  by <UserText text={by} />
                </>
              )}
            </p>
          </div>
          {mayChange && (
            <Form>
              <input type="hidden" name="does" value="back" />
              <button type="submit" name="back" value={id} className="button button-small">
                Give back<span className="sr-only"> {shortId}</span>
              </button>
            </Form>
          )}
        </li>
      ))}
    </ul>
  )
}

type FingerprintsProps = Data & { readonly org: string; readonly project: string }

function Fingerprints({
  org,
  project,
  issue,
  fingerprints,
  fingerprintCount,
  members,
  mayChange,
}: FingerprintsProps) {
  const canSplit = mayChange && fingerprints.length > 1
  const memberOf = (id: number | undefined) => members.find((member) => member.id === id)?.shortId
  return (
    <Form>
      <input type="hidden" name="does" value="split" />
      <TableFrame label="Fingerprints">
        <table>
          <thead>
            <tr>
              {canSplit && (
                <th>
                  <span className="sr-only">Select</span>
                </th>
              )}
              <th>Latest event</th>
              <th className="num">Events</th>
              <th>First seen</th>
              <th>Last seen</th>
              <th>From</th>
            </tr>
          </thead>
          <tbody>
            {fingerprints.map(
              ({ hashes, events, firstSeenMs, lastSeenMs, title: name, lastEventId, memberId }) => (
                <tr key={hashes[0]}>
                  {canSplit && (
                    <td>
                      <input
                        type="checkbox"
                        name="hash"
                        value={hashes.join(',')}
                        aria-label={`Select ${name || (hashes[0] ?? '')}`}
                      />
                    </td>
                  )}
                  <td>
                    {lastEventId === '' ? (
                      <span className="muted">No stored event</span>
                    ) : (
                      <Link to={paths.event(org, project, issue.shortId, lastEventId)}>
                        <UserText text={name} />
                      </Link>
                    )}{' '}
                    <code title={hashes.join(' ')}>{hashes[0]?.slice(0, 8)}</code>
                  </td>
                  <td className="num">{formatExact(events)}</td>
                  <td>{firstSeenMs !== undefined && <Ago atMs={firstSeenMs} />}</td>
                  <td>{lastSeenMs !== undefined && <Ago atMs={lastSeenMs} />}</td>
                  <td>{memberOf(memberId)}</td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </TableFrame>
      {fingerprintCount > fingerprints.length && (
        <p className="muted">
          The {formatExact(fingerprints.length)} with the most events of{' '}
          {countOf(fingerprintCount, 'fingerprint')}.
        </p>
      )}
      {canSplit ? (
        <div className="settings-line">
          <button type="submit" className="button">
            Split into a new issue
          </button>
          <span className="muted">The new issue takes over status and assignee.</span>
        </div>
      ) : (
        <p className="muted">An issue with one fingerprint cannot be split.</p>
      )}
    </Form>
  )
}
