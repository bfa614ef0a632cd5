import type { CoverageRow, PageCoverage } from '@sonde/queries'
import { countOf, formatShare } from '../../../../../format/format-count.ts'
import { Snippet } from '../../../../../ui/copy-button.tsx'
import { Count } from '../../../../../ui/count.tsx'
import { EmptyState, TableFrame } from '../../../../../ui/section.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { namesText, shareText } from './coverage-text.ts'
import type { Refused } from './page.server.ts'

const TAGS = `import * as Sentry from '@sentry/node'

// In the <head> of each page that the server renders:
Sentry.getTraceMetaTags()`

/** The share of page views that no page told of; where there is none, what has to be done for it. */
export function PageViewsSection({ pages }: { readonly pages: PageCoverage | Refused }) {
  if (pages.kind === 'refused')
    return (
      <EmptyState title="This cannot be computed">
        <p>
          {pages.message}. {pages.hint}
        </p>
      </EmptyState>
    )
  if (pages.kind === 'nothing')
    return (
      <EmptyState title="No page views">
        <p>
          Neither a page of this project told of a page load in this time, nor a server of it of a page view.
          Turn on tracing in the browser and on the server that renders the pages.
        </p>
      </EmptyState>
    )
  if (pages.kind === 'no_server')
    return (
      <EmptyState title="No server tells of page views">
        <p>
          Pages told of {countOf(pages.loads, 'page load')}. To know how many page views there were, turn on
          tracing on the server that renders the pages, in any project of this organization, and let its HTML
          name the trace:
        </p>
        <Snippet what="code for the server" code={TAGS} />
      </EmptyState>
    )
  if (pages.kind === 'no_tags')
    return (
      <EmptyState title="The pages do not continue the server’s traces">
        <p>
          <UserText text={namesText(pages.servers)} /> answered {countOf(pages.views, 'request')} for pages,
          and no trace has both the request and a page load. Let the HTML name the trace of its request; the
          SDK in the page then continues it:
        </p>
        <Snippet what="code for the server" code={TAGS} />
        <p className="muted">
          Next.js 15 and newer with <code>@sentry/nextjs</code> does it by itself. A page that a CDN or the
          browser keeps names the trace of an earlier request.
        </p>
      </EmptyState>
    )
  return <KnownCoverage pages={pages} />
}

type Known = Extract<PageCoverage, { kind: 'known' }>

function KnownCoverage({ pages }: { readonly pages: Known }) {
  const { total, browsers, countries, routes, servers, untagged, programs, kept, oneIn } = pages
  return (
    <>
      <p>
        {total.unseen === undefined ? (
          <>
            <strong>Not enough page views to say.</strong> <UserText text={namesText(servers)} /> served{' '}
            {countOf(total.views, 'page view')}; 30 are the least that a share is given of.
          </>
        ) : (
          <>
            <strong>{shareText(total.unseen)} of page views are invisible here.</strong> Of{' '}
            {countOf(total.views, 'page view')} that <UserText text={namesText(servers)} /> served, so many
            have no page load, no web vital and no error of a page in their trace.
          </>
        )}
      </p>
      <Shares label="By browser" first="Browser" rows={browsers} unknown="not known" />
      {countries.length > 0 && (
        <Shares label="By country" first="Country" rows={countries} unknown="not known" />
      )}
      <Shares label="By route" first="Route" rows={routes} unknown="" />
      <ul className="muted">
        <li>
          What it cannot tell apart: a blocker, a browser without scripts, a script that failed to load or to
          start, a person who left before the page reported, a program that calls itself a browser.
        </li>
        <li>Page views of the last five minutes are left out: their pages may still report.</li>
        {programs > 0 && (
          <li>{countOf(programs, 'request')} by crawlers, monitors and headless browsers are left out.</li>
        )}
        {untagged.length > 0 && (
          <li>
            Left out, because their pages never continue the trace of the request:{' '}
            {untagged.map(({ name, views }, index) => (
              <span key={name}>
                {index > 0 && ', '}
                <UserText text={name} /> ({countOf(views, 'page view')})
              </span>
            ))}
            . Let their HTML name it, too.
          </li>
        )}
        {kept < 0.99 && (
          <li>
            The pages keep {formatShare(kept, 1)} of the traces that the servers keep; each page load stands
            for those that were not kept, and the interval is wider for it.
          </li>
        )}
        {oneIn > 1 && <li>One of {oneIn} traces was read, and counted up.</li>}
      </ul>
    </>
  )
}

type SharesProps = {
  readonly label: string
  readonly first: string
  readonly rows: readonly CoverageRow[]
  /** Instead of a name that is not known. */
  readonly unknown: string
}

function Shares({ label, first, rows, unknown }: SharesProps) {
  return (
    <TableFrame label={label}>
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col" className="col-end">
              Page views
            </th>
            <th scope="col" className="col-end">
              Invisible
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, views, unseen }) => (
            <tr key={name}>
              <th scope="row">{name === '' ? unknown : <UserText text={name} />}</th>
              <td className="col-end">
                <Count value={views} noun="page view" />
              </td>
              <td className="col-end">
                {unseen === undefined ? (
                  <span className="muted">too few to say</span>
                ) : (
                  <span className="num">{shareText(unseen)}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
