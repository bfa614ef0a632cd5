import type { TrackerLink, TrackerName } from '@sonde/queries'
import { Form, Link, useParams } from '@sonde/router'
import { useState } from 'react'
import { SavedNotice } from '../../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../../parts/forms/use-form-state.ts'
import { paths } from '../../../../../paths.ts'
import { useJson } from '../../../../../shell/use-json.ts'
import { Badge } from '../../../../../ui/badge.tsx'
import { Field } from '../../../../../ui/field.tsx'
import { LinesField } from '../../../../../ui/lines-field.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'

/** What a tracker found; `refused`: why it did not, for people. */
export type FoundExternal = {
  readonly found: readonly { readonly key: string; readonly title: string; readonly isOpen: boolean }[]
  readonly refused: string
}

export type LinkedIssuesProps = {
  readonly shortId: string
  readonly links: readonly TrackerLink[]
  /** Empty: none is connected, or the person may not change anything. */
  readonly trackers: readonly TrackerName[]
  /** Of a new issue; undefined: there is no tracker to make it at. */
  readonly draft?: { readonly title: string; readonly body: string } | undefined
  /** May connect a tracker, and none is. */
  readonly mayConnect: boolean
}

/** Issues of trackers that belong to this one. */
export function LinkedIssues({ shortId, links, trackers, draft, mayConnect }: LinkedIssuesProps) {
  const { org } = useParams<'org'>()
  if (links.length === 0 && trackers.length === 0 && !mayConnect) return null
  return (
    <section className="linked-issues" id="linked-issues" aria-labelledby="linked-issues-title">
      <h2 id="linked-issues-title">Linked issues</h2>
      <SavedNotice />
      {links.length > 0 && (
        <ul>
          {links.map((link) => (
            <LinkedLine key={link.id} link={link} mayChange={trackers.length > 0} />
          ))}
        </ul>
      )}
      {/* Made anew when one was linked: then nothing of the last form is left. */}
      {draft && <LinkForms key={links.length} shortId={shortId} trackers={trackers} draft={draft} />}
      {mayConnect && (
        <p className="muted">
          <Link className="text-link" to={paths.trackers(org)}>
            Connect GitHub, GitLab, Jira or Linear
          </Link>{' '}
          to make and link issues there.
        </p>
      )}
    </section>
  )
}

const STATES = {
  open: { tone: 'attention', text: 'open' },
  closed: { tone: 'good', text: 'closed' },
  deleted: { tone: 'neutral', text: 'deleted' },
} as const

const WISHES = {
  '': '',
  create: 'Is being created.',
  open: 'Is being opened again.',
  closed: 'Is being closed.',
} as const

function LinkedLine({ link, mayChange }: { readonly link: TrackerLink; readonly mayChange: boolean }) {
  const { id, key, url, title, state, wanted, answer, tracker } = link
  const { tone, text } = STATES[state]
  return (
    <li>
      <div className="linked-head">
        {url === '' ? (
          <UserText text={tracker.name} />
        ) : (
          <a href={url} rel="noreferrer noopener">
            <UserText text={key} />
          </a>
        )}{' '}
        <Badge tone={tone}>{text}</Badge>
        {mayChange && (
          <Form>
            <input type="hidden" name="form" value="unlink-external" />
            <input type="hidden" name="linkId" value={id} />
            <button
              type="submit"
              className="button button-small button-quiet"
              aria-label={`Unlink ${key || tracker.name}`}
            >
              Unlink
            </button>
          </Form>
        )}
      </div>
      <UserText text={title} />
      {wanted !== '' && <p className="muted">{WISHES[wanted]}</p>}
      {answer !== '' && (
        <p className="field-error">
          <UserText text={answer} />
        </p>
      )}
    </li>
  )
}

type LinkFormsProps = Pick<LinkedIssuesProps, 'shortId' | 'trackers'> & {
  readonly draft: NonNullable<LinkedIssuesProps['draft']>
}

function LinkForms({ shortId, trackers, draft }: LinkFormsProps) {
  const create = useFormState('create-external')
  const link = useFormState('link-external')
  return (
    <>
      <details className="key-fold" open={create.isRefused || undefined}>
        <summary>Create an issue</summary>
        <Form className="settings-form">
          <input type="hidden" name="form" value="create-external" />
          <WhereField
            id="create-where"
            trackers={trackers}
            value={create.valueOf('where', '')}
            error={create.errorOf('place')}
          />
          <Field
            id="external-title"
            name="title"
            label="Title"
            maxLength={255}
            autoComplete="off"
            defaultValue={create.valueOf('title', draft.title)}
            error={create.errorOf('title')}
          />
          <LinesField
            id="external-body"
            name="body"
            label="Text"
            rows={8}
            isCode={false}
            defaultValue={create.valueOf('body', draft.body)}
            error={create.errorOf('body')}
          />
          <Refused text={create.errorOf('tracker') ?? create.errorOf('key')} />
          <button type="submit" className="button button-primary">
            Create and link
          </button>
        </Form>
      </details>
      <details className="key-fold" open={link.isRefused || undefined}>
        <summary>Link an existing issue</summary>
        <LinkForm shortId={shortId} trackers={trackers} />
      </details>
    </>
  )
}

const SEARCH_AFTER_MS = 300
const MIN_SEARCH_CHARS = 2

/** Without scripts a key or an address is typed; with them also words, which find. */
function LinkForm({ shortId, trackers }: Pick<LinkFormsProps, 'shortId' | 'trackers'>) {
  const { org, project } = useParams<'org' | 'project'>()
  const state = useFormState('link-external')
  const [where, setWhere] = useState(state.valueOf('where', firstOf(trackers)))
  const [text, setText] = useState('')
  const q = text.trim()
  const search = useJson<FoundExternal>(
    q.length >= MIN_SEARCH_CHARS ? paths.findExternal(org, project, shortId, { where, q }) : undefined,
    SEARCH_AFTER_MS,
  )
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="link-external" />
      <WhereField id="link-where" trackers={trackers} value={where} onChange={setWhere} />
      <Field
        id="external-key"
        name="key"
        label="Key, address or words"
        autoComplete="off"
        spellCheck={false}
        required
        maxLength={500}
        defaultValue={state.valueOf('key', '')}
        error={state.errorOf('key')}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Refused text={state.errorOf('tracker')} />
      <div role="status" className="found-external">
        {q.length >= MIN_SEARCH_CHARS && <Found search={search} />}
      </div>
      <button type="submit" className="button">
        Link
      </button>
    </Form>
  )
}

function Found({ search: { state, data } }: { readonly search: ReturnType<typeof useJson<FoundExternal>> }) {
  if (state === 'failed') return <p className="field-error">The search can’t be reached. Type the key.</p>
  if (data === undefined) return <p className="muted">Searching…</p>
  if (data.refused !== '')
    return (
      <p className="field-error">
        <UserText text={data.refused} />
      </p>
    )
  if (data.found.length === 0) return <p className="muted">Nothing found.</p>
  return (
    <ul>
      {data.found.map(({ key, title, isOpen }) => (
        <li key={key}>
          <button type="submit" name="found" value={key} className="found-issue">
            <span className="muted">
              <UserText text={key} />
              {!isOpen && ' · closed'}
            </span>{' '}
            <UserText text={title} />
          </button>
        </li>
      ))}
    </ul>
  )
}

const Refused = ({ text }: { readonly text: string | undefined }) =>
  text !== undefined && (
    <p className="field-error" role="alert">
      <UserText text={text} />
    </p>
  )

const firstOf = ([first]: readonly TrackerName[]): string =>
  first === undefined ? '' : `${first.id} ${first.places[0] ?? ''}`

type WhereFieldProps = {
  readonly id: string
  readonly trackers: readonly TrackerName[]
  readonly value: string
  readonly error?: string | undefined
  readonly onChange?: (where: string) => void
}

/** Which connection, and there which repository, project or team. */
function WhereField({ id, trackers, value, error, onChange }: WhereFieldProps) {
  const places = trackers.flatMap((tracker) =>
    tracker.places.map((place) => ({ value: `${tracker.id} ${place}`, text: `${tracker.name}: ${place}` })),
  )
  return (
    <div className="field">
      <label htmlFor={id}>Where</label>
      <select
        id={id}
        name="where"
        className="input"
        defaultValue={value || places[0]?.value}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      >
        {places.map((place) => (
          <option key={place.value} value={place.value}>
            {place.text}
          </option>
        ))}
      </select>
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
