import '../../../../../parts/forms/settings.css'
import { Form, Link, usePageData, useParams } from '@sonde/router'
import { countOf, formatExact } from '../../../../../format/format-count.ts'
import { SavedNotice } from '../../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../../paths.ts'
import { EmptyState, TableFrame } from '../../../../../ui/section.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Discarded issues · Sonde'

export default function Discarded() {
  const { discarded, mayDelete } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="page page-narrow">
      <p>
        <Link to={paths.projectSettings(org, project)}>Project settings</Link>
      </p>
      <div className="page-head">
        <h1>Discarded issues</h1>
      </div>
      <SavedNotice />
      {discarded.length === 0 ? (
        <EmptyState title="Nothing is discarded">
          <p>
            When you delete an issue, you can also discard future events like it. They are listed here with
            how many were dropped.
          </p>
        </EmptyState>
      ) : (
        <>
          <p className="muted">
            Events like these are dropped as they arrive, and counted as <code>discarded_hash</code>.
          </p>
          <TableFrame label="Discarded issues">
            <table>
              <thead>
                <tr>
                  <th>Issue</th>
                  <th>Discarded</th>
                  <th className="num">Dropped</th>
                  <th>Last event</th>
                  {mayDelete && (
                    <th>
                      <span className="sr-only">Actions</span>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {discarded.map(({ shortNumber, title: name, hashes, sinceMs, by, dropped, lastMs }) => (
                  <tr key={shortNumber}>
                    <td>
                      <UserText text={name} />{' '}
                      <span className="muted">
                        {project.toUpperCase()}-{shortNumber} · {countOf(hashes, 'fingerprint')}
                      </span>
                    </td>
                    <td>
                      <Ago atMs={sinceMs} />
                      {by !== '' && (
                        <>
                          {' '}
                          by <UserText text={by} />
                        </>
                      )}
                    </td>
                    <td className="num">{formatExact(dropped)}</td>
                    <td>{lastMs === undefined ? 'none' : <Ago atMs={lastMs} />}</td>
                    {mayDelete && (
                      <td>
                        <Form>
                          <button
                            type="submit"
                            name="issue"
                            value={shortNumber}
                            className="button button-small"
                          >
                            Stop discarding
                          </button>
                        </Form>
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </TableFrame>
        </>
      )}
    </div>
  )
}
