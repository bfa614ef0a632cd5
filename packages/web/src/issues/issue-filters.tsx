import { Form, Link } from '@sonde/router'
import type { ChangeEvent } from 'react'
import { paths } from '../paths.ts'
import { Icon } from '../ui/icon.tsx'
import { type ListSearch, PERIODS, SORTS, STATUSES, statusOf, toSearch, withStatus } from './list-search.ts'

export type IssueFiltersProps = {
  readonly org: string
  readonly project: string
  readonly search: ListSearch
  readonly refusal?: { readonly message: string; readonly hint?: string } | undefined
}

const submit = (event: ChangeEvent<HTMLSelectElement>): void => event.currentTarget.form?.requestSubmit()

/** The search and everything else that decides what the list shows. It all lives in the address. */
export function IssueFilters({ org, project, search, refusal }: IssueFiltersProps) {
  const { query, sort, period } = search
  return (
    <div className="filters">
      <StatusTabs org={org} project={project} search={search} />
      {/* Made anew when the address changes, so that the fields say what the list shows. */}
      <Form
        key={`${query}\n${sort}\n${period}`}
        method="get"
        action={paths.issues(org, project)}
        className="filter-form"
        role="search"
      >
        <div className="search">
          <Icon name="search" />
          <input
            className="input"
            type="search"
            name="query"
            aria-label="Search issues"
            aria-invalid={refusal !== undefined || undefined}
            aria-describedby={refusal === undefined ? undefined : 'search-error'}
            defaultValue={query}
            placeholder='level:error release:1.2 "text of the title"'
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={4_096}
            dir="auto"
          />
        </div>
        <select className="input" name="sort" aria-label="Sort by" defaultValue={sort} onChange={submit}>
          {SORTS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <select
          className="input"
          name="period"
          aria-label="Seen within"
          defaultValue={period}
          onChange={submit}
        >
          {PERIODS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <button type="submit" className="button">
          Search
        </button>
      </Form>
      {refusal && (
        <p className="field-error" id="search-error" role="alert">
          {refusal.message}
          {refusal.hint !== undefined && <span className="muted"> {refusal.hint}</span>}
        </p>
      )}
    </div>
  )
}

function StatusTabs({ org, project, search }: Pick<IssueFiltersProps, 'org' | 'project' | 'search'>) {
  const shown = statusOf(search.query)
  return (
    <nav className="segmented" aria-label="Status">
      {STATUSES.map(({ id, name }) => (
        <Link
          key={id}
          to={paths.issues(org, project, toSearch(search, { query: withStatus(search.query, id) }))}
          aria-current={id === shown ? 'true' : undefined}
          prefetch="intent"
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
