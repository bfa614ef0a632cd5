import { Form } from '@sonde/router'
import { countOf } from '../../format/format-count.ts'
import { TableFrame } from '../../ui/section.tsx'
import { Ago } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'

export type DeletedItem = {
  readonly id: number
  readonly kind: 'issues' | 'project' | 'organization'
  readonly slug: string
  readonly name: string
  readonly count: number
  readonly issues: readonly { readonly shortId: string; readonly title: string }[]
  readonly by: string
  readonly deletedMs: number
  readonly purgeMs: number
}

/** What can be restored, each with its two buttons; they post `does` and `id` to the page. */
export function DeletedList({ lines }: { readonly lines: readonly DeletedItem[] }) {
  return (
    <TableFrame label="Recently deleted">
      <table>
        <thead>
          <tr>
            <th>What</th>
            <th>Deleted</th>
            <th>Removed for good</th>
            <th>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>
                <What line={line} />
              </td>
              <td>
                <Ago atMs={line.deletedMs} /> by <UserText text={line.by} />
              </td>
              <td>
                <Ago atMs={line.purgeMs} />
              </td>
              <td>
                <div className="settings-line">
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
                      <p>It is removed for good. This cannot be undone.</p>
                      <button type="submit" name="does" value="purge" className="button button-danger">
                        Delete {nameOf(line)} for good
                      </button>
                    </Form>
                  </details>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

const nameOf = ({ kind, name, count, issues }: DeletedItem): string => {
  if (kind !== 'issues') return name
  return count === 1 ? (issues[0]?.shortId ?? 'the issue') : countOf(count, 'issue')
}

function What({ line }: { readonly line: DeletedItem }) {
  const { kind, name, slug, count, issues } = line
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
  const more = count - issues.length
  return (
    <>
      {issues.map(({ shortId, title }) => (
        <div key={shortId}>
          <UserText text={title} /> <span className="muted">{shortId}</span>
        </div>
      ))}
      {more > 0 && <span className="muted">and {countOf(more, 'more issue')}</span>}
    </>
  )
}
