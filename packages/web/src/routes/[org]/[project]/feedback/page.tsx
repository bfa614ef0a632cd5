import './feedback.css'
import {
  Form,
  Link,
  useActionData,
  useLocation,
  usePageData,
  useParams,
  useSearchParams,
} from '@sonde/router'
import { useRef } from 'react'
import { formatExact } from '../../../../format/format-count.ts'
import { paths } from '../../../../paths.ts'
import { useShortcuts } from '../../../../shell/use-shortcuts.ts'
import { Snippet } from '../../../../ui/copy-button.tsx'
import { EmptyState } from '../../../../ui/section.tsx'
import { Age } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { FeedbackDetail } from './feedback-detail.tsx'
import { type FeedbackSearch, TABS, withFeedback } from './feedback-search.ts'
import type { action, load } from './page.server.ts'

export const title = (): string => 'User feedback · Sonde'

type Loaded = Awaited<ReturnType<typeof load>>
type Rows = Loaded['rows']

export default function Feedback() {
  const { org, project } = useParams<'org' | 'project'>()
  const data = usePageData<typeof load>()
  const { search, rows, mayChange } = data
  const detail = 'detail' in data ? data.detail : undefined
  const refusal = 'refusal' in data ? data.refusal : undefined
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const list = useRef<HTMLUListElement>(null)
  useInboxKeys(list, mayChange)
  const next = 'next' in data ? data.next : undefined
  return (
    <div className="page page-wide">
      <h1 className="sr-only">User feedback of {project}</h1>
      <div className="feedback-head">
        <nav className="segmented" aria-label="State">
          {TABS.map(({ id, name }) => (
            <Link
              key={id}
              to={
                pathname +
                withFeedback(params, {
                  tab: id === 'inbox' ? undefined : id,
                  id: undefined,
                  cursor: undefined,
                })
              }
              prefetch="none"
              aria-current={id === search.tab ? 'true' : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
        <Form method="get" action={pathname} role="search" className="feedback-search">
          {search.tab !== 'inbox' && <input type="hidden" name="tab" value={search.tab} />}
          <input
            type="search"
            name="query"
            className="input"
            defaultValue={search.query}
            placeholder="Words, user.email:…, release:…, environment:…"
            aria-label="Search feedback"
          />
          <button type="submit" className="button">
            Search
          </button>
        </Form>
      </div>
      {refusal !== undefined && <p role="alert">{refusal}</p>}
      <Outcome />
      {rows.length === 0 && !detail ? (
        <Nothing search={search} dsn={'dsn' in data ? data.dsn : undefined} />
      ) : (
        <div className="feedback-panes">
          <div className="feedback-list-pane">
            {mayChange && rows.length > 0 && <BulkForm tab={search.tab} />}
            <ul className="feedback-list" ref={list} aria-label="Feedback">
              {rows.map((row) => (
                <Row key={row.id} row={row} isShown={row.id === detail?.id} mayChange={mayChange} />
              ))}
            </ul>
            {next !== undefined && (
              <Link
                className="button button-small"
                to={pathname + withFeedback(params, { cursor: next, id: undefined })}
                prefetch="none"
                rel="next"
              >
                Older
              </Link>
            )}
            <p className="muted feedback-count">{formatExact(data.hits)} in this list</p>
          </div>
          {detail && <FeedbackDetail org={org} project={project} detail={detail} mayChange={mayChange} />}
        </div>
      )}
    </div>
  )
}

const BULK_ID = 'feedback-bulk'

/** The buttons act on the boxes that are ticked. */
function BulkForm({ tab }: { readonly tab: FeedbackSearch['tab'] }) {
  return (
    <Form id={BULK_ID} className="feedback-bulk" aria-label="Bulk actions">
      <span className="muted">Selected:</span>
      {tab !== 'resolved' && (
        <button type="submit" name="status" value="resolved" className="button button-small">
          Resolve
        </button>
      )}
      {tab !== 'spam' && (
        <button type="submit" name="status" value="ignored" className="button button-small">
          Mark as spam
        </button>
      )}
      {tab !== 'inbox' && (
        <button type="submit" name="status" value="unresolved" className="button button-small">
          Move to inbox
        </button>
      )}
    </Form>
  )
}

type RowProps = { readonly row: Rows[number]; readonly isShown: boolean; readonly mayChange: boolean }

function Row({ row, isShown, mayChange }: RowProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const sender = row.name || row.email || 'Anonymous'
  return (
    <li className="feedback-row" data-shown={isShown || undefined}>
      {mayChange && (
        <input type="checkbox" name="id" value={row.id} form={BULK_ID} aria-label={`Select ${row.shortId}`} />
      )}
      <Link
        className="feedback-link"
        to={pathname + withFeedback(params, { id: String(row.id) })}
        prefetch="none"
        preventScrollReset
        aria-current={isShown ? 'true' : undefined}
      >
        <span className="feedback-sender">
          <UserText text={sender} />
        </span>
        <span className="feedback-age muted">
          <Age atMs={row.receivedMs} />
        </span>
        <span className="feedback-preview">
          <UserText text={row.preview === '' ? '(no words)' : row.preview} />
        </span>
        {row.url !== '' && (
          <span className="feedback-url muted">
            <UserText text={row.url} />
          </span>
        )}
      </Link>
    </li>
  )
}

/** What the last press did, with a way back. */
function Outcome() {
  const outcome = useActionData<typeof action>()
  if (outcome === undefined) return null
  if (outcome.kind === 'changed') {
    return (
      <Form className="feedback-outcome">
        <p role="status">
          {outcome.count} {outcome.done === 'ignored' ? 'moved to spam' : outcome.done}
        </p>
        {outcome.undo !== undefined && (
          <button type="submit" name="undo" value={outcome.undo} className="link-button">
            Undo
          </button>
        )}
      </Form>
    )
  }
  return <p role="status">{OUTCOMES[outcome.kind] ?? 'Nothing was changed.'}</p>
}
const OUTCOMES: Readonly<Record<string, string>> = {
  undone: 'Undone.',
  'none-chosen': 'Nothing is selected.',
}

/** j and k go through the list, e resolves what is shown, m moves it to spam, u back to the inbox. */
function useInboxKeys(list: { readonly current: HTMLUListElement | null }, mayChange: boolean): void {
  const move = (step: 1 | -1): void => {
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>('.feedback-link') ?? [])]
    const at = links.findIndex((link) => link.getAttribute('aria-current') === 'true')
    const to = links[Math.min(links.length - 1, Math.max(0, at + step))]
    to?.focus({ preventScroll: true })
    to?.closest('li')?.scrollIntoView({ block: 'nearest' })
    to?.click()
  }
  const press = (status: string) => (): void =>
    document.querySelector<HTMLButtonElement>(`.feedback-deeds button[value="${status}"]`)?.click()
  useShortcuts({
    'list.next': () => move(1),
    'list.previous': () => move(-1),
    ...(mayChange && {
      'list.resolve': press('resolved'),
      'list.ignore': press('ignored'),
      'list.reopen': press('unresolved'),
    }),
  })
}

/** Either nothing matches, or nobody has written yet. */
function Nothing({ search, dsn }: { readonly search: FeedbackSearch; readonly dsn: string | undefined }) {
  const { org, project } = useParams<'org' | 'project'>()
  if (search.query !== '' || search.tab !== 'inbox')
    return (
      <EmptyState title={search.tab === 'spam' ? 'No spam' : 'No matching feedback'}>
        <p>
          <Link to={paths.feedback(org, project)} className="text-link">
            Show the inbox
          </Link>
        </p>
      </EmptyState>
    )
  return (
    <EmptyState title="No feedback in the inbox" docs="feedback">
      <p>Let people write to you from your pages, with the feedback widget of the Sentry SDK.</p>
      {dsn !== undefined && (
        <Snippet
          what="code for JavaScript"
          code={`Sentry.init({
  dsn: '${dsn}',
  integrations: [Sentry.feedbackIntegration({ enableScreenshot: true })],
})`}
        />
      )}
    </EmptyState>
  )
}
