import '../figures/status.css'
import '../forms/settings.css'
import type { ErasureRow } from '@sonde/queries'
import { Form, useActionData } from '@sonde/router'
import { formatExact } from '../../format/format-count.ts'
import { Field } from '../../ui/field.tsx'
import { EmptyState, Section, TableFrame } from '../../ui/section.tsx'
import { Ago } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { SavedNotice } from '../forms/saved-notice.tsx'
import type { changePersonalData, FoundAnswer, ShownPerson } from './personal-data.server.ts'

type PersonalDataScreenProps = {
  /** Slug of the project or organization: typed before somebody is erased. */
  readonly name: string
  /** `this project`, `all projects of this organization`. */
  readonly where: string
  readonly erasures: readonly ErasureRow[]
  /** Takes the form of an export. */
  readonly download: string
}

type Answer = () => ReturnType<typeof changePersonalData>

export function PersonalDataScreen({ name, where, erasures, download }: PersonalDataScreenProps) {
  const answer = useActionData<Answer>()
  const found = answer && 'found' in answer ? answer : undefined
  const errors = answer && 'fields' in answer ? answer.fields : undefined
  return (
    <>
      <SavedNotice />
      <Section
        id="find"
        title="Find a person"
        note={`A user of your applications, in the data of ${where}. What you fill in is of the same person.`}
      >
        <FindForm shown={found?.person} errors={errors} />
      </Section>
      {found && (
        <Section id="found" title="Stored of this person">
          <Found {...found} name={name} download={download} confirmError={errors?.['confirm']?.join('; ')} />
        </Section>
      )}
      <Section id="erasures" title="Erased persons" note="Who it was is kept as a hash only.">
        <Erasures erasures={erasures} />
      </Section>
    </>
  )
}

type FindFormProps = {
  readonly shown: ShownPerson | undefined
  readonly errors: Readonly<Record<string, readonly string[] | undefined>> | undefined
}

function FindForm({ shown, errors }: FindFormProps) {
  const errorOf = (field: string): string | undefined => errors?.[field]?.join('; ')
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="find" />
      <Field
        id="person-id"
        name="id"
        label="User ID or user name"
        defaultValue={shown?.id}
        error={errorOf('id')}
        {...plain}
      />
      <Field
        id="person-email"
        name="email"
        label="E-mail"
        defaultValue={shown?.email}
        error={errorOf('email')}
        {...plain}
      />
      <Field
        id="person-ip"
        name="ip"
        label="IP address"
        defaultValue={shown?.ip}
        error={errorOf('ip')}
        {...plain}
      />
      <button type="submit" className="button">
        Find
      </button>
    </Form>
  )
}

type FoundProps = Pick<FoundAnswer, 'person' | 'found'> & {
  readonly name: string
  readonly download: string
  readonly confirmError: string | undefined
}

function Found({ person, found, name, download, confirmError }: FoundProps) {
  const hidden = Object.entries(person).map(([field, value]) => (
    <input key={field} type="hidden" name={field} value={value} />
  ))
  if (found.total === 0)
    return (
      <EmptyState title="Nothing is stored of this person">
        <p>Try another identifier: SDKs may have sent only an e-mail, a user name or an IP address.</p>
      </EmptyState>
    )
  return (
    <>
      <TableFrame label="Stored of this person">
        <table className="status-table">
          <thead>
            <tr>
              <th>Kind</th>
              <th className="num col-end">As user</th>
              <th className="num col-end">Named in texts</th>
            </tr>
          </thead>
          <tbody>
            {found.kinds.map(({ kind, asUser, inTexts }) => (
              <tr key={kind}>
                <td>{kind.replaceAll('_', ' ')}</td>
                <td className="num col-end">{formatExact(asUser)}</td>
                <td className="num col-end">{formatExact(inTexts)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      {found.alsoKnownAs.length > 0 && (
        <p>
          The same events also name <UserText text={found.alsoKnownAs.join(', ')} />. To include what is
          stored under these, search with them too.
        </p>
      )}
      <form method="post" action={download} className="settings-line">
        {hidden}
        <button type="submit" className="button">
          Export as JSON lines
        </button>
      </form>
      <Form className="settings-form danger">
        <input type="hidden" name="form" value="erase" />
        {hidden}
        <p>
          Deletes these rows and files for good, and replaces the person by <code>[Erased]</code> in titles
          and comments. Event counts of issues stay. What arrives later is stored again, and backups keep what
          they have. This cannot be undone.
        </p>
        <Field
          id="confirm-erase"
          name="confirm"
          label={`Type ${name} to erase this person`}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={confirmError}
        />
        <button type="submit" className="button button-danger">
          Erase
        </button>
      </Form>
    </>
  )
}

const STATES = {
  waits: 'Waiting for data that is being stored',
  deletes: 'Deleting',
  purges: 'Removing the bytes from all files',
  done: 'Done',
} as const

function Erasures({ erasures }: { readonly erasures: readonly ErasureRow[] }) {
  if (erasures.length === 0)
    return (
      <EmptyState title="Nobody was erased">
        <p>Find a person above, then erase what is stored. Progress and result are listed here.</p>
      </EmptyState>
    )
  return (
    <TableFrame label="Erased persons">
      <table className="status-table">
        <thead>
          <tr>
            <th>Asked</th>
            <th>Where</th>
            <th>State</th>
            <th className="num col-end">Erased</th>
            <th>SHA-256 of the person</th>
          </tr>
        </thead>
        <tbody>
          {erasures.map(({ id, requestedMs, by, scope, state, total, counts, personHash, trouble }) => (
            <tr key={id}>
              <td>
                <Ago atMs={requestedMs} /> by <UserText text={by} />
              </td>
              <td>
                <UserText text={scope} />
              </td>
              <td>
                {STATES[state]}
                {trouble !== '' && (
                  <span className="muted">
                    {' '}
                    · trying again: <UserText text={trouble} />
                  </span>
                )}
              </td>
              <td
                className="num col-end"
                title={counts
                  .map(({ kind, count }) => `${formatExact(count)} ${kind.replaceAll('_', ' ')}`)
                  .join(', ')}
              >
                {formatExact(total)}
              </td>
              <td>
                <code title={personHash}>{personHash.slice(0, 12)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
