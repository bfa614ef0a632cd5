import '../../../parts/forms/settings.css'
import '../../../parts/tokens/account.css'
import { Form, Link, useActionData, usePageData, useParams } from '@sonde/router'
import { DeleteForm } from '../../../parts/forms/delete-form.tsx'
import { SavedNotice } from '../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import {
  MadeTokenNotice,
  PasswordAgainField,
  ScopesField,
  TokenLifeField,
  TokenNote,
} from '../../../parts/tokens/token-form.tsx'
import { TokenTimes } from '../../../parts/tokens/token-times.tsx'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Count } from '../../../ui/count.tsx'
import { Field } from '../../../ui/field.tsx'
import { Section } from '../../../ui/section.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import { MemberFilter, MemberPages } from './member-filter.tsx'
import { MemberList } from './member-list.tsx'
import type { action, load } from './page.server.ts'
import { SettingsHead } from './settings-head.tsx'

export function title(data: unknown) {
  return `Members and tokens · ${(data as { orgName: string }).orgName} · Sonde`
}

export default function OrgSettings() {
  const data = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  const { members, tokens, mayChange, mayOwn } = data
  return (
    <div className="page page-narrow">
      <SettingsHead name={data.orgName} here="members">
        <span className="muted">members and tokens</span>
      </SettingsHead>
      <SavedNotice />
      <Section id="members" title="Members" note={<Count value={data.memberCount} noun="member" />}>
        {mayChange ? (
          <p className="settings-line">
            <Link className="button button-primary" to={paths.invitations(org)}>
              Invite members
            </Link>
            {data.invitationCount > 0 && (
              <Link className="text-link" to={paths.invitations(org)}>
                <Count value={data.invitationCount} noun="pending invitation" />
                {data.invitationCount === 1 ? ' pending invitation' : ' pending invitations'}
              </Link>
            )}
          </p>
        ) : (
          <p className="muted">Admins and owners can change roles and remove members.</p>
        )}
        <MemberFilter
          org={org}
          shown={data.shown}
          memberCount={data.memberCount}
          foundCount={data.foundCount}
          teams={data.teams}
        />
        <MemberList members={members} mayOwn={mayOwn} />
        <MemberPages org={org} shown={data.shown} foundCount={data.foundCount} pageSize={data.pageSize} />
      </Section>
      <Section
        id="tokens"
        title="Tokens"
        note={tokens && <TokenNote>Organization tokens and the personal tokens of members.</TokenNote>}
      >
        {tokens ? (
          <>
            <OrgTokenList tokens={tokens} />
            <NewOrgToken scopes={data.scopes} mayBeEndless={data.mayBeEndless} />
          </>
        ) : (
          <p className="muted">
            Only admins and owners can see organization tokens. Your personal tokens are on your account page.
          </p>
        )}
      </Section>
      {mayOwn && (
        <Section id="second-factor" title="Second factor">
          <SecondFactorPolicy isRequired={data.requiresSecondFactor} without={data.withoutSecondFactor} />
        </Section>
      )}
      {mayOwn && (
        <Section id="public-links" title="Public links">
          <PublicLinks areAllowed={data.allowsPublicLinks} />
        </Section>
      )}
      {mayOwn && (
        <Section id="endless" title="Token expiration">
          <EndlessTokens isAllowed={data.mayBeEndless} />
        </Section>
      )}
      {mayOwn && (
        <Section id="delete" title="Delete organization">
          <DeleteForm what="organization" slug={org}>
            The organization and all its projects are gone from every page at once; tokens, invitations and
            DSNs stop working. For a day you can restore it; then it is removed for good, with all its data.
          </DeleteForm>
        </Section>
      )}
    </div>
  )
}

type SecondFactorPolicyProps = {
  readonly isRequired: boolean
  /** How many members have none. */
  readonly without: number
}

/** Whether members need more than a password for this organization. */
function SecondFactorPolicy({ isRequired, without }: SecondFactorPolicyProps) {
  const { errorOf } = useFormState('second-factor')
  const error = errorOf('role')
  const who = without === 1 ? '1 member has' : `${without} members have`
  return (
    <>
      <p>
        {isRequired
          ? 'Members open this organization only with two-factor sign-in or a passkey.'
          : 'Members may open this organization with a password alone.'}{' '}
        {without > 0 && `${who} no second factor${isRequired ? ' and must set one up first' : ''}.`} Tokens
        are not affected.
      </p>
      <Form className="settings-line">
        <input type="hidden" name="form" value="second-factor" />
        <button type="submit" className="button" name="require" value={isRequired ? 'no' : 'yes'}>
          {isRequired ? 'Stop requiring a second factor' : 'Require a second factor'}
        </button>
      </Form>
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </>
  )
}

/** Whether issues may be shown to people without an account. */
function PublicLinks({ areAllowed }: { readonly areAllowed: boolean }) {
  return (
    <>
      <p>
        {areAllowed
          ? 'Members can share issues by public links that expire.'
          : 'No issue can be opened by a public link. Links that were made work again once you allow them.'}
      </p>
      <Form className="settings-line">
        <input type="hidden" name="form" value="public-links" />
        <button type="submit" className="button" name="allow" value={areAllowed ? 'no' : 'yes'}>
          {areAllowed ? 'Forbid public links' : 'Allow public links'}
        </button>
      </Form>
    </>
  )
}

/** What an owner decides about the life of tokens. */
function EndlessTokens({ isAllowed }: { readonly isAllowed: boolean }) {
  return (
    <>
      <p>
        {isAllowed
          ? 'Members can create tokens that never expire.'
          : 'Tokens expire after one year at most. Build tokens (org:ci only) may never expire.'}{' '}
        Existing tokens are not affected.
      </p>
      <Form className="settings-line">
        <input type="hidden" name="form" value="endless" />
        <button type="submit" className="button" name="allow" value={isAllowed ? 'no' : 'yes'}>
          {isAllowed ? 'Require new tokens to expire' : 'Allow tokens that never expire'}
        </button>
      </Form>
    </>
  )
}

type NewOrgTokenProps = { readonly scopes: readonly string[]; readonly mayBeEndless: boolean }

/** Of the organization: it goes on when the person who made it leaves, if nobody takes it along. */
function NewOrgToken({ scopes, mayBeEndless }: NewOrgTokenProps) {
  const made = useActionData<typeof action>()?.madeToken
  const state = useFormState('new-token')
  return (
    <>
      <MadeTokenNotice made={made} />
      <Form className="settings-form" key={made?.token}>
        <input type="hidden" name="form" value="new-token" />
        <Field
          id="org-token-name"
          name="name"
          label="New organization token"
          hint="For CI, select only org:ci; such a token may never expire."
          required
          maxLength={100}
          placeholder="Nightly build"
          autoComplete="off"
          defaultValue={state.valueOf('name', '')}
          error={state.errorOf('name')}
        />
        <ScopesField id="org-token-scopes" scopes={scopes} state={state} />
        <TokenLifeField
          id="org-token-life"
          state={state}
          usual="90"
          mayBeEndless={mayBeEndless || scopes.includes('org:ci')}
        />
        <PasswordAgainField id="org-token-password" state={state} />
        <button type="submit" className="button">
          Create token
        </button>
      </Form>
    </>
  )
}

type OrgTokenItem = {
  readonly id: number
  readonly name: string
  readonly isPersonal: boolean
  readonly isApp: boolean
  readonly madeBy?: { readonly name?: string; readonly email?: string } | undefined
  readonly scopes: readonly string[]
  readonly createdMs: number
  readonly lastUsedMs?: number | undefined
  readonly lastUsedAddress?: string | undefined
  readonly expiresMs?: number | undefined
  readonly mayDelete: boolean
}

/** What programs come in with, newest first. */
function OrgTokenList({ tokens }: { readonly tokens: readonly OrgTokenItem[] }) {
  if (tokens.length === 0)
    return <p className="muted">No tokens yet. Create one to upload source maps or to use the API.</p>
  return (
    <ul className="account-list" aria-label="Tokens">
      {tokens.map((token) => (
        <li key={token.id}>
          <div className="account-item">
            <p>
              <UserText text={token.name} />{' '}
              {token.isPersonal && <Badge>{token.isApp ? 'application' : 'personal'}</Badge>}
            </p>
            <p className="muted">
              {token.scopes.join(', ')} ·{' '}
              <TokenTimes {...token}>
                {' '}
                by <Maker madeBy={token.madeBy} />
              </TokenTimes>
            </p>
          </div>
          {token.mayDelete && (
            <details className="key-fold">
              <summary aria-label={`Delete ${token.name}`}>Delete</summary>
              <Form className="settings-form danger">
                <input type="hidden" name="form" value="token" />
                <input type="hidden" name="tokenId" value={token.id} />
                <p>Anything that uses this token will stop working. This cannot be undone.</p>
                <button
                  type="submit"
                  className="button button-danger"
                  aria-label={`Delete token ${token.name}`}
                >
                  Delete token
                </button>
              </Form>
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}

function Maker({ madeBy }: Pick<OrgTokenItem, 'madeBy'>) {
  if (madeBy === undefined) return <>the command line</>
  const name = madeBy.name ?? madeBy.email
  return name === undefined ? <>a former member</> : <UserText text={name} />
}
