/** The audit log on a screen: its filter, its entries, its files. */
import '../forms/settings.css'
import './audit.css'
import type { AuditPage, AuditRow } from '@sonde/queries'
import { Form, Link } from '@sonde/router'
import type { AuditAction } from '@sonde/stores'
import { Field } from '../../ui/field.tsx'
import { EmptyState } from '../../ui/section.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import type { ShownFilter } from './audit-filter.server.ts'
import { AUDIT_WORDS, OBJECT_WORDS, objectOf } from './audit-words.ts'

export type AuditScreenProps = {
  readonly page: AuditPage
  readonly shown: ShownFilter
  /** Where the page before does not begin at the end of the log. */
  readonly isFirst: boolean
  readonly retentionDays: number
  /** This page, with other values of the filter. */
  readonly here: (search: Readonly<Record<string, string | undefined>>) => string
  /** Takes the form of a download. */
  readonly download: string
}

export function AuditScreen({ page, shown, isFirst, retentionDays, here, download }: AuditScreenProps) {
  const isNarrowed = Object.values(shown).some((value) => value !== '')
  return (
    <>
      <AuditFilterForm key={JSON.stringify(shown)} shown={shown} />
      {isNarrowed && (
        <p>
          <Link to={here({})}>Clear filter</Link>
        </p>
      )}
      {page.rows.length === 0 ? (
        <EmptyState title={isNarrowed ? 'No entries match' : 'No entries'}>
          <p>
            {isNarrowed
              ? 'Choose another person, action or time.'
              : isFirst
                ? 'Sign-ins and changes appear here.'
                : 'There are no older entries.'}
          </p>
        </EmptyState>
      ) : (
        <ol className="audit-list" aria-label="Entries">
          {page.rows.map((row) => (
            <AuditLine key={row.id} row={row} />
          ))}
        </ol>
      )}
      <p className="audit-pages">
        {!isFirst && <Link to={here(shown)}>Newest</Link>}
        {page.olderThan !== undefined && (
          <Link to={here({ ...shown, before: String(page.olderThan) })}>Older</Link>
        )}
      </p>
      <form method="post" action={download} className="settings-line">
        {Object.entries(shown).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" className="button" name="format" value="csv">
          Download as CSV
        </button>
        <button type="submit" className="button" name="format" value="json">
          Download as JSON
        </button>
      </form>
      <p className="muted">
        All entries that match the filter are in the file. Entries are kept for {retentionDays} days (
        <code>SONDE_AUDIT_RETENTION_DAYS</code>).
      </p>
    </>
  )
}

const GROUPS = [...Map.groupBy(Object.keys(AUDIT_WORDS) as AuditAction[], objectOf)].map(
  ([object, actions]) => ({
    object,
    name: OBJECT_WORDS[object] ?? object,
    actions: actions.map((action) => ({ action, name: upperFirst(AUDIT_WORDS[action]) })),
  }),
)

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function AuditFilterForm({ shown }: { readonly shown: ShownFilter }) {
  return (
    <Form method="get" className="settings-line audit-filter">
      <Field
        id="audit-who"
        name="who"
        label="Person or token"
        type="search"
        defaultValue={shown.who}
        autoComplete="off"
      />
      <div className="field">
        <label htmlFor="audit-action">Action</label>
        <select id="audit-action" name="action" className="input" defaultValue={shown.action}>
          <option value="">All actions</option>
          {GROUPS.map(({ object, name, actions }) => (
            <optgroup key={object} label={name}>
              {actions.length > 1 && <option value={`${object}.*`}>{name}: all</option>}
              {actions.map((each) => (
                <option key={each.action} value={each.action}>
                  {each.name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      <Field id="audit-start" name="start" label="From (UTC)" type="date" defaultValue={shown.start} />
      <Field id="audit-end" name="end" label="To (UTC)" type="date" defaultValue={shown.end} />
      <button type="submit" className="button">
        Filter
      </button>
    </Form>
  )
}

function AuditLine({ row }: { readonly row: AuditRow }) {
  // The address says who it was; the id is in the files.
  const details = Object.entries(row.detail).filter(([name]) => name !== 'userId' || !('email' in row.detail))
  return (
    <li>
      <p>
        <strong>
          <UserText text={row.by} />
        </strong>{' '}
        {AUDIT_WORDS[row.action]}: <UserText text={row.subjectEmail ?? row.subject} />
      </p>
      <p className="muted audit-facts">
        <ExactTime atMs={row.atMs} />
        <code>{row.action}</code>
        {row.address !== undefined && <span>from {row.address}</span>}
        {details.map(([name, value]) => (
          <span key={name}>
            {name}: <UserText text={typeof value === 'string' ? value : JSON.stringify(value)} />
          </span>
        ))}
      </p>
    </li>
  )
}
