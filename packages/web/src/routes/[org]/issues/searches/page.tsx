import '../../../../parts/forms/settings.css'
import '../../../../parts/tokens/account.css'
import '../../../../parts/issue-list/saved-searches.css'
import type { SavedSearch } from '@sonde/queries'
import { Form, Link, usePageData, useParams } from '@sonde/router'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { listPath, SORTS } from '../../../../parts/issue-list/list-search.ts'
import { RECOMMENDED } from '../../../../parts/issue-list/recommended-searches.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Count } from '../../../../ui/count.tsx'
import { Field } from '../../../../ui/field.tsx'
import { EmptyState, Section } from '../../../../ui/section.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Saved searches · ${(data as { orgName: string }).orgName} · Sonde`
}

/** Own searches and the organization's: named, ordered, shared and deleted here. */
export default function SavedSearches() {
  const { orgName, searches, mayShare, begun, project, deletedId } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  const place = { org, project }
  const pinned = searches.filter(({ isPinned }) => isPinned)
  const own = searches.filter(({ isPinned, isShared }) => !isPinned && !isShared)
  const shared = searches.filter(({ isPinned, isShared }) => !isPinned && isShared)
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>Saved searches</h1>
        <Link to={listPath(place)}>Back to the issues</Link>
      </div>
      <SavedNotice />
      {deletedId !== undefined && <Undo id={deletedId} />}
      <Section id="save" title={begun ? 'Save this search' : 'Save a search'}>
        <SaveForm key={begun?.query} begun={begun} mayShare={mayShare} />
      </Section>
      {searches.length === 0 && (
        <EmptyState title="Nothing is saved yet">
          <p>
            A saved search is a search of issues under a name: for you, or for everybody in{' '}
            <UserText text={orgName} />. Search for something in the list of issues and choose “Save this
            search”.
          </p>
        </EmptyState>
      )}
      <List title="Pinned" note="On top of the menu, in this order, for you." searches={pinned} isOrdered />
      <List title="Yours" note="Only you see them." searches={own} />
      <List
        title={orgName}
        note={
          mayShare
            ? 'Everybody in the organization sees them; whoever may change issues may change and delete them.'
            : 'Everybody in the organization sees them. Members can change them, viewers cannot.'
        }
        searches={shared}
      />
      <Section id="recommended" title="Recommended" note="Built in, for everybody.">
        <ul className="account-list" aria-label="Recommended searches">
          {RECOMMENDED.map(({ name, query, sort }) => (
            <li key={name}>
              <div className="account-item">
                <p>
                  <Link to={listPath(place, { query, sort })} prefetch="none">
                    {name}
                  </Link>
                </p>
                <p className="muted search-query">
                  <code>{query}</code>
                </p>
              </div>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}

/** Every form of this page keeps the list that one came from. */
function From() {
  const { project } = usePageData<typeof load>()
  return project === undefined ? null : <input type="hidden" name="project" value={project} />
}

function Undo({ id }: { readonly id: number }) {
  const { errorOf } = useFormState(`search-${id}`)
  const error = errorOf('name')
  return (
    <Form className="search-undo" aria-label="Undo">
      <input type="hidden" name="form" value="search" />
      <input type="hidden" name="id" value={id} />
      <From />
      <button type="submit" className="button button-small" name="does" value="restore">
        Undo
      </button>
      <span className="muted">Within an hour it can be had back.</span>
      {error !== undefined && (
        <p className="field-error" role="alert">
          Not restored: the name {error}
        </p>
      )}
    </Form>
  )
}

type SaveFormProps = {
  readonly begun: { readonly query: string; readonly sort: string } | undefined
  readonly mayShare: boolean
}

function SaveForm({ begun, mayShare }: SaveFormProps) {
  const state = useFormState('save')
  return (
    <Form className="settings-form" aria-label="Save a search">
      <input type="hidden" name="form" value="save" />
      <From />
      <Field
        id="save-name"
        name="name"
        label="Name"
        required
        maxLength={128}
        autoComplete="off"
        // Came to save: the rest is filled in.
        autoFocus={begun !== undefined}
        placeholder="Checkout errors"
        defaultValue={state.valueOf('name', '')}
        error={state.errorOf('name')}
      />
      <QueryFields
        id="save"
        state={state}
        query={begun?.query ?? 'is:unresolved'}
        sort={begun?.sort ?? 'date'}
      />
      <SelectField
        id="save-for"
        name="for"
        label="For"
        value={state.valueOf('for', 'me')}
        choices={[
          ['me', 'Me'],
          ...(mayShare ? [['organization', 'Everybody in the organization'] as const] : []),
        ]}
      />
      {!mayShare && <p className="field-hint">Sharing one with everybody needs the role of a member.</p>}
      <button type="submit" className="button button-primary">
        Save search
      </button>
    </Form>
  )
}

type QueryFieldsProps = {
  readonly id: string
  readonly state: ReturnType<typeof useFormState>
  readonly query: string
  readonly sort: string
}

function QueryFields({ id, state, query, sort }: QueryFieldsProps) {
  return (
    <>
      <Field
        id={`${id}-query`}
        name="query"
        label="Search"
        maxLength={4_096}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        hint="Empty: all issues."
        defaultValue={state.valueOf('query', query)}
        error={state.errorOf('query')}
      />
      <SelectField
        id={`${id}-sort`}
        name="sort"
        label="Sort by"
        value={state.valueOf('sort', sort)}
        choices={SORTS.map((each) => [each.id, each.name])}
      />
    </>
  )
}

type ListProps = {
  readonly title: string
  readonly note: string
  readonly searches: readonly SavedSearch[]
  /** One's own order. */
  readonly isOrdered?: true
}

function List({ title: name, note, searches, isOrdered }: ListProps) {
  if (searches.length === 0) return null
  return (
    <Section
      id={isOrdered ? 'pinned' : searches[0]?.isShared ? 'shared' : 'own'}
      title={name}
      note={<Count value={searches.length} noun="search" />}
    >
      <p className="muted">{note}</p>
      <ul className="account-list" aria-label={`${name}: saved searches`}>
        {searches.map((search, at) => (
          <SearchItem
            key={search.id}
            search={search}
            moves={isOrdered && { up: at > 0, down: at < searches.length - 1 }}
          />
        ))}
      </ul>
    </Section>
  )
}

type ItemProps = {
  readonly search: SavedSearch
  readonly moves: { readonly up: boolean; readonly down: boolean } | undefined
}

function SearchItem({ search, moves }: ItemProps) {
  const { org } = useParams<'org'>()
  const { project, mayShare } = usePageData<typeof load>()
  const { id, name, query, sort, isShared, isDefault, isPinned, problem } = search
  const deed = (does: string, text: string, isOff = false) => (
    <button
      type="submit"
      className="button button-small"
      name="does"
      value={does}
      aria-label={`${text}: ${name}`}
      disabled={isOff}
    >
      {text}
    </button>
  )
  return (
    <li>
      <div className="account-item">
        <p>
          <Link to={listPath({ org, project }, { query, sort })} prefetch="none">
            <UserText text={name} />
          </Link>{' '}
          {moves && <Badge>{isShared ? 'everybody’s' : 'yours'}</Badge>}{' '}
          {isDefault && <Badge tone="good">your list opens with it</Badge>}
        </p>
        <p className="muted search-query">
          {query === '' ? 'All issues' : <code>{query}</code>} ·{' '}
          {SORTS.find((each) => each.id === sort)?.name ?? sort}
        </p>
        {problem !== undefined && (
          <p className="field-error">This search can’t be read any more: {problem}. Change or delete it.</p>
        )}
        <Form className="search-actions" aria-label={`What to do with ${name}`}>
          <input type="hidden" name="form" value="search" />
          <input type="hidden" name="id" value={id} />
          <From />
          {isDefault
            ? deed('not-default', 'No longer open with it')
            : deed('default', 'Open the list with it')}
          {deed(isPinned ? 'unpin' : 'pin', isPinned ? 'Unpin' : 'Pin')}
          {moves && deed('up', 'Move up', !moves.up)}
          {moves && deed('down', 'Move down', !moves.down)}
          {(!isShared || mayShare) && deed('delete', 'Delete')}
        </Form>
        {(!isShared || mayShare) && <ChangeForm search={search} />}
      </div>
    </li>
  )
}

function ChangeForm({ search: { id, name, query, sort } }: { readonly search: SavedSearch }) {
  const state = useFormState(`search-${id}`)
  return (
    <details className="key-fold" open={state.isRefused}>
      <summary aria-label={`Change ${name}`}>Rename or change</summary>
      <Form className="settings-form" key={`${name} ${query} ${sort}`} aria-label={`Change ${name}`}>
        <input type="hidden" name="form" value="search" />
        <input type="hidden" name="id" value={id} />
        <From />
        <Field
          id={`name-${id}`}
          name="name"
          label="Name"
          required
          maxLength={128}
          autoComplete="off"
          defaultValue={state.valueOf('name', name)}
          error={state.errorOf('name')}
        />
        <QueryFields id={`search-${id}`} state={state} query={query} sort={sort} />
        <button type="submit" className="button" name="does" value="change">
          Save changes
        </button>
      </Form>
    </details>
  )
}
