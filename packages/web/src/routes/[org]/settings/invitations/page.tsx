import '../../../../parts/forms/settings.css'
import '../../../../parts/tokens/account.css'
import './invitations.css'
import { Form, useActionData, usePageData } from '@sonde/router'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { type FormState, useFormState } from '../../../../parts/forms/use-form-state.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { Count } from '../../../../ui/count.tsx'
import { Field, Tick } from '../../../../ui/field.tsx'
import { LinesField } from '../../../../ui/lines-field.tsx'
import { Section } from '../../../../ui/section.tsx'
import { Ago, ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { SettingsHead } from '../settings-head.tsx'
import type { action, load } from './page.server.ts'

export function title(data: unknown) {
  return `Invitations · ${(data as { orgName: string }).orgName} · Sonde`
}

export default function Invitations() {
  const { orgName, invitations, teams, hasMail, mayOwn, mostUses } = usePageData<typeof load>()
  return (
    <div className="page page-narrow">
      <SettingsHead name={orgName} here="members">
        <span className="muted">invitations</span>
      </SettingsHead>
      <SavedNotice />
      <NewLinks />
      <Section id="invite" title="Invite members">
        <InviteForm teams={teams} hasMail={hasMail} mayOwn={mayOwn} />
      </Section>
      <Section
        id="pending"
        title="Pending invitations"
        note={<Count value={invitations.length} noun="invitation" />}
      >
        <PendingList invitations={invitations} hasMail={hasMail} />
      </Section>
      <Section id="open-link" title="Invite link">
        <OpenLinkForm teams={teams} mostUses={mostUses} />
      </Section>
    </div>
  )
}

/** Each once, in the answer to the post: only hashes are stored. */
function NewLinks() {
  const answer = useActionData<typeof action>()
  const { links = [], members = [] } = answer && 'links' in answer ? answer : {}
  return (
    <div role="status">
      {links.length > 0 && (
        <div className="saved-notice">
          <p>
            {links.length === 1 ? 'Copy the link now. It' : 'Copy the links now. They'} won’t be shown again.
            Pass {links.length === 1 ? 'it' : 'each'} on yourself.
          </p>
          <ul className="invite-links">
            {links.map(({ email, url }) => (
              <li key={url}>
                {email !== undefined && <UserText text={email} />}
                <div className="dsn">
                  <code>{url}</code>
                  <CopyButton text={url} what={email === undefined ? 'invite link' : `link for ${email}`} />
                </div>
              </li>
            ))}
          </ul>
          {members.length > 0 && <p>Members already: {members.join(', ')}.</p>}
        </div>
      )}
    </div>
  )
}

type Team = { readonly id: number; readonly name: string }

const ROLES = [
  ['viewer', 'Viewer: read-only'],
  ['member', 'Member: can also edit issues and releases'],
  ['admin', 'Admin: can also manage projects, members and tokens'],
  ['owner', 'Owner: can also delete projects and add owners'],
] as const
type RoleId = (typeof ROLES)[number][0]

type SelectProps = {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly usual: string
  readonly choices: readonly (readonly [value: string, text: string])[]
  readonly state: FormState
}

function Select({ id, name, label, usual, choices, state }: SelectProps) {
  const error = state.errorOf(name)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        className="input"
        defaultValue={state.valueOf(name, usual)}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
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

const LIVES = [
  ['1', 'in 1 day'],
  ['7', 'in 7 days'],
  ['30', 'in 30 days'],
] as const

function TeamTicks({ teams }: { readonly teams: readonly Team[] }) {
  if (teams.length === 0) return null
  return (
    <fieldset className="token-scopes">
      <legend>Teams</legend>
      {teams.map(({ id, name }) => (
        <Tick key={id} name="teamIds" value={String(id)} isOn={false}>
          <UserText text={name} />
        </Tick>
      ))}
    </fieldset>
  )
}

type InviteFormProps = {
  readonly teams: readonly Team[]
  readonly hasMail: boolean
  readonly mayOwn: boolean
}

function InviteForm({ teams, hasMail, mayOwn }: InviteFormProps) {
  const state = useFormState('invite')
  const roles = ROLES.filter(([role]) => role !== 'owner' || mayOwn)
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="invite" />
      <LinesField
        id="invite-emails"
        name="emails"
        label="E-mail addresses"
        hint="One per line, or separated by commas."
        isCode={false}
        defaultValue={state.valueOf('emails', '')}
        error={state.errorOf('emails')}
      />
      <div className="field-pair">
        <Select id="invite-role" name="role" label="Role" usual="member" choices={roles} state={state} />
        <Select id="invite-days" name="days" label="Link expires" usual="7" choices={LIVES} state={state} />
      </div>
      <TeamTicks teams={teams} />
      {!hasMail && (
        <p className="muted">
          Mail is not set up, so you get links to pass on. To have them sent, set <code>SONDE_SMTP_URL</code>.
        </p>
      )}
      <div className="settings-line">
        {hasMail && (
          <button type="submit" className="button button-primary" name="does" value="mail">
            Send invitations
          </button>
        )}
        <button
          type="submit"
          className={hasMail ? 'button' : 'button button-primary'}
          name="does"
          value="links"
        >
          {hasMail ? 'Create links instead' : 'Create links'}
        </button>
      </div>
    </Form>
  )
}

type OpenLinkFormProps = { readonly teams: readonly Team[]; readonly mostUses: number }

function OpenLinkForm({ teams, mostUses }: OpenLinkFormProps) {
  const state = useFormState('open-link')
  const roles = ROLES.filter(([role]) => role === 'member' || role === 'viewer')
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="open-link" />
      <p className="muted">Anyone who has the link can join, until it expires or is used up.</p>
      <div className="field-pair">
        <Select id="open-role" name="role" label="Role" usual="member" choices={roles} state={state} />
        <Select id="open-days" name="days" label="Link expires" usual="7" choices={LIVES} state={state} />
        <Field
          id="open-uses"
          name="maxUses"
          label="Maximum uses"
          type="number"
          min={1}
          max={mostUses}
          required
          defaultValue={state.valueOf('maxUses', '10')}
          error={state.errorOf('maxUses') ?? state.errorOf('emails')}
        />
      </div>
      <TeamTicks teams={teams} />
      <button type="submit" className="button">
        Create link
      </button>
    </Form>
  )
}

type Pending = {
  readonly invitationId: number
  readonly email?: string | undefined
  readonly role: RoleId
  readonly invitedBy?: string | undefined
  readonly sentMs: number
  readonly expiresMs: number
  readonly isExpired: boolean
  readonly isMailed: boolean
  readonly uses: number
  readonly maxUses: number
  readonly teams: readonly string[]
}

type PendingListProps = { readonly invitations: readonly Pending[]; readonly hasMail: boolean }

function PendingList({ invitations, hasMail }: PendingListProps) {
  if (invitations.length === 0)
    return <p className="muted">No pending invitations. Whoever accepts one becomes a member.</p>
  return (
    <ul className="account-list" aria-label="Pending invitations">
      {invitations.map((invitation) => (
        <PendingItem key={invitation.invitationId} invitation={invitation} hasMail={hasMail} />
      ))}
    </ul>
  )
}

function PendingItem({ invitation, hasMail }: { readonly invitation: Pending; readonly hasMail: boolean }) {
  const { invitationId, email, role, invitedBy, sentMs, expiresMs, isExpired, isMailed, teams } = invitation
  const name = email ?? 'the invite link'
  const id = <input type="hidden" name="invitationId" value={invitationId} />
  return (
    <li>
      <div className="account-item">
        <p>
          {email === undefined ? 'Invite link' : <UserText text={email} />} <Badge>{role}</Badge>{' '}
          {isExpired && <Badge tone="bad">expired</Badge>}
        </p>
        <p className="muted">
          {isMailed ? 'mailed' : 'link created'} <Ago atMs={sentMs} /> by{' '}
          {invitedBy === undefined ? 'the command line' : <UserText text={invitedBy} />} ·{' '}
          {isExpired ? 'expired' : 'expires'} <ExactTime atMs={expiresMs} />
          {email === undefined && ` · used ${invitation.uses} of ${invitation.maxUses} times`}
          {teams.length > 0 && ` · teams: ${teams.join(', ')}`}
        </p>
      </div>
      <div className="key-actions">
        <Form>
          <input type="hidden" name="form" value="renew" />
          {id}
          {hasMail && email !== undefined && (
            <button
              type="submit"
              className="button button-small"
              name="does"
              value="mail"
              aria-label={`Resend ${name}`}
            >
              Resend
            </button>
          )}{' '}
          <button
            type="submit"
            className="button button-small"
            name="does"
            value="link"
            aria-label={`New link for ${name}`}
          >
            New link
          </button>
        </Form>
        <Form>
          <input type="hidden" name="form" value="revoke" />
          {id}
          <button type="submit" className="button button-small button-danger" aria-label={`Revoke ${name}`}>
            Revoke
          </button>
        </Form>
      </div>
    </li>
  )
}
