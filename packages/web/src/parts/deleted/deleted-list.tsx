import { Form, Link } from '@sonde/router'
import { countOf } from '../../format/format-count.ts'
import { paths } from '../../paths.ts'
import { Ago } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'

export type DeletedItem = {
  readonly id: number
  readonly kind: 'issues' | 'events' | 'project' | 'organization'
  readonly slug: string
  readonly name: string
  readonly count: number
  readonly issues: readonly { readonly shortId: string; readonly title: string }[]
  readonly moreIssues: number
  readonly by: string
  readonly deletedMs: number
  readonly purgeMs: number
}

type DeletedListProps = {
  readonly lines: readonly DeletedItem[]
  /** Whose they are; without it they are organizations. */
  readonly org?: string
}

/** What can be restored, each with its two buttons; they post `does` and `id` to the page. */
export function DeletedList({ lines, org }: DeletedListProps) {
  return (
    <ul className="key-list" aria-label="Recently deleted">
      {lines.map((line) => (
        <li key={line.id}>
          <What line={line} org={org} />
          <p className="muted">
            deleted <Ago atMs={line.deletedMs} /> by <UserText text={line.by} /> · removed for good{' '}
            <Ago atMs={line.purgeMs} />
          </p>
          <div className="key-actions">
            <Form>
              <input type="hidden" name="id" value={line.id} />
              <button
                type="submit"
                name="does"
                value="restore"
                className="button button-small"
                aria-label={`Restore ${nameOf(line)}`}
              >
                Restore
              </button>
            </Form>
            <details className="key-fold">
              <summary aria-label={`Delete now: ${nameOf(line)}`}>Delete now</summary>
              <Form className="settings-form danger">
                <input type="hidden" name="id" value={line.id} />
                <p>This cannot be undone.</p>
                <button type="submit" name="does" value="purge" className="button button-danger">
                  Delete {nameOf(line)} for good
                </button>
              </Form>
            </details>
          </div>
        </li>
      ))}
    </ul>
  )
}

const nameOf = ({ kind, name, count, issues }: DeletedItem): string => {
  if (kind === 'events') {
    const [only, another] = issues
    return `${countOf(count, 'event')}${only && !another ? ` of ${only.shortId}` : ''}`
  }
  if (kind !== 'issues') return name
  return count === 1 ? (issues[0]?.shortId ?? 'the issue') : countOf(count, 'issue')
}

function What({ line, org }: { readonly line: DeletedItem; readonly org: string | undefined }) {
  const { kind, name, slug, count, issues, moreIssues } = line
  if (kind === 'organization')
    return (
      <>
        <UserText text={name} />{' '}
        <span className="muted">
          organization {slug} · {countOf(count, 'project')}
        </span>
      </>
    )
  if (kind === 'project')
    return (
      <>
        <UserText text={name} /> <span className="muted">project {slug}</span>
      </>
    )
  const isOfEvents = kind === 'events'
  return (
    <>
      {isOfEvents && (
        <div>
          {countOf(count, 'event')} <span className="muted">project {slug}</span>
        </div>
      )}
      {issues.map(({ shortId, title }) => (
        <div key={shortId}>
          {isOfEvents && org !== undefined ? (
            <Link className="text-link" to={paths.issue(org, slug, shortId)}>
              <UserText text={title} />
            </Link>
          ) : (
            <UserText text={title} />
          )}{' '}
          <span className="muted">{shortId}</span>
        </div>
      ))}
      {moreIssues > 0 && (
        <span className="muted">
          {issues.length > 0
            ? `and ${countOf(moreIssues, 'more issue')}`
            : countOf(moreIssues, 'deleted issue')}
        </span>
      )}
    </>
  )
}
