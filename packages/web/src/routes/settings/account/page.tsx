import '../../../parts/forms/settings.css'
import '../../../parts/tokens/account.css'
import { Form, Link, useActionData, usePageData } from '@sonde/router'
import { SavedNotice } from '../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { TokenNote } from '../../../parts/tokens/token-form.tsx'
import { TokenTimes } from '../../../parts/tokens/token-times.tsx'
import { paths } from '../../../paths.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Field, Tick } from '../../../ui/field.tsx'
import { useIsInBrowser } from '../../../ui/page-clock.tsx'
import { Section } from '../../../ui/section.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import { ConnectedApps } from './connected-apps.tsx'
import { NewToken } from './new-token.tsx'
import type { action, load } from './page.server.ts'
import { PasskeyList } from './passkey-list.tsx'
import { SessionList } from './session-list.tsx'
import { focusOnce, TwoFactor } from './two-factor.tsx'

export function title() {
  return 'Account · Sonde'
}

export default function Account() {
  const { passkeys, passkeyOptions, whyNoPasskeys, timeZone, hasMail } = usePageData<typeof load>()
  const {
    name,
    email,
    asking,
    twoFactor,
    sessions,
    tokens,
    apps,
    orgs,
    scopes,
    mayBeEndless,
    minPasswordChars,
  } = usePageData<typeof load>()
  const backupCodes = useActionData<typeof action>()?.backupCodes
  if (backupCodes) {
    return (
      <div className="page page-narrow">
        <BackupCodes codes={backupCodes} />
      </div>
    )
  }
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>Account</h1>
      </div>
      <SavedNotice />
      <Section id="profile" title="Profile">
        <NameForm name={name} timeZone={timeZone} />
        <EmailForm email={email} hasMail={hasMail} />
      </Section>
      <Section id="password" title="Password">
        <PasswordForm minChars={minPasswordChars} tokens={tokens.length} apps={apps.length} />
      </Section>
      <Section id="two-factor" title="Two-factor sign-in">
        {asking !== undefined && (
          <p className="token-notice" role="alert">
            <UserText text={asking} /> opens only with a second factor. Turn on two-factor sign-in, or add a
            passkey, and open it again.
          </p>
        )}
        <TwoFactor state={twoFactor} />
      </Section>
      <Section id="passkeys" title="Passkeys" note="A fingerprint, a face, a PIN or a security key.">
        <PasskeyList passkeys={passkeys} options={passkeyOptions} whyNot={whyNoPasskeys} />
      </Section>
      <Section id="sessions" title="Sessions" note="Devices where you are signed in.">
        <SessionList sessions={sessions} />
      </Section>
      <Section
        id="tokens"
        title="Personal tokens"
        note={<TokenNote>Tokens can’t exceed your own permissions.</TokenNote>}
      >
        <RecentTokens tokens={tokens} />
        <TokenList tokens={tokens} />
        {orgs.length > 0 && <NewToken orgs={orgs} scopes={scopes} mayBeEndless={mayBeEndless} />}
      </Section>
      <Section id="apps" title="Connected applications" note="They act as you, in one organization each.">
        <ConnectedApps apps={apps} />
      </Section>
    </div>
  )
}

/** A token made behind somebody's back is seen here, before their password is. */
function RecentTokens({ tokens }: { readonly tokens: readonly TokenRow[] }) {
  const recent = tokens.filter(({ isRecent }) => isRecent)
  if (recent.length === 0) return null
  return (
    <p className="token-notice">
      Created in the last 7 days:{' '}
      {recent.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <strong>
            <UserText text={name} />
          </strong>
        </span>
      ))}
      . Not you? Delete {recent.length === 1 ? 'it' : 'them'} and <a href="#password">change your password</a>
      .
    </p>
  )
}

/** Alone on the page: they are shown this once, and nothing else matters now. */
function BackupCodes({ codes }: { readonly codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`
  return (
    <>
      <div className="page-head">
        <h1 tabIndex={-1} ref={focusOnce}>
          Your backup codes
        </h1>
      </div>
      <p className="saved-notice" role="status">
        Two-factor sign-in is on.
      </p>
      <p>
        Save these codes somewhere safe, such as a password manager or on paper. Each code works once in place
        of a code from the app. They won’t be shown again.
      </p>
      <ul className="backup-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="settings-line">
        <CopyButton text={text} what="all codes" label="Copy all" />
        <a
          className="button button-small"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`Sonde backup codes\n${text}`)}`}
          download="sonde-backup-codes.txt"
        >
          Download
        </a>
        <Link className="button button-small button-primary" to={paths.account()}>
          I’ve saved these codes
        </Link>
      </div>
    </>
  )
}

type TokenRow = {
  readonly id: number
  readonly name: string
  readonly orgSlug: string
  readonly scopes: readonly string[]
  readonly createdMs: number
  readonly isRecent: boolean
  readonly lastUsedMs?: number | undefined
  readonly lastUsedAddress?: string | undefined
  readonly expiresMs?: number | undefined
}

function TokenList({ tokens }: { readonly tokens: readonly TokenRow[] }) {
  if (tokens.length === 0) return <p className="muted">No personal tokens yet.</p>
  return (
    <ul className="account-list">
      {tokens.map((token) => (
        <li key={token.id}>
          <div className="account-item">
            <p>
              <UserText text={token.name} /> <span className="muted">for {token.orgSlug}</span>
            </p>
            <p className="muted">
              {token.scopes.join(', ')} · <TokenTimes {...token} />
            </p>
          </div>
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
        </li>
      ))}
    </ul>
  )
}

function NameForm({ name, timeZone }: { readonly name: string; readonly timeZone: string }) {
  const { errorOf, valueOf } = useFormState('name')
  const isInBrowser = useIsInBrowser()
  const own = isInBrowser ? new Intl.DateTimeFormat().resolvedOptions().timeZone : 'UTC'
  return (
    <Form className="settings-form" key={`${name} ${timeZone}`}>
      <input type="hidden" name="form" value="name" />
      <Field
        id="account-name"
        name="name"
        label="Name"
        required
        maxLength={100}
        autoComplete="name"
        defaultValue={valueOf('name', name)}
        error={errorOf('name')}
      />
      <Field
        id="account-zone"
        name="timeZone"
        label="Time zone"
        maxLength={64}
        autoComplete="off"
        placeholder={own}
        hint={`Times on screens and in mail. Empty: of this browser (${own}), and UTC in mail.`}
        defaultValue={valueOf('timeZone', timeZone)}
        error={errorOf('timeZone')}
      />
      <button type="submit" className="button button-primary">
        Save profile
      </button>
    </Form>
  )
}

/** The new address counts once somebody opened the link that is sent there. */
function EmailForm({ email, hasMail }: { readonly email: string; readonly hasMail: boolean }) {
  const { errorOf, isRefused, valueOf } = useFormState('email')
  return (
    <>
      <p className="muted">
        Email: <bdi>{email}</bdi>{' '}
      </p>
      {hasMail && (
        <details className="key-fold" open={isRefused}>
          <summary>Change email</summary>
          <Form className="settings-form">
            <input type="hidden" name="form" value="email" />
            <Field
              id="new-email"
              name="email"
              label="New e-mail address"
              type="email"
              autoComplete="email"
              required
              hint="A link is sent there. Until it is opened, nothing changes."
              defaultValue={valueOf('email', '')}
              error={errorOf('email')}
            />
            <Field
              id="email-password"
              name="currentPassword"
              label="Confirm your password"
              type="password"
              autoComplete="current-password"
              required
              error={errorOf('currentPassword')}
            />
            <button type="submit" className="button">
              Send link
            </button>
          </Form>
        </details>
      )}
    </>
  )
}

type PasswordFormProps = {
  readonly minChars: number
  /** How many tokens of their own this person has: they do not end by themselves. */
  readonly tokens: number
  /** Neither do connected applications. */
  readonly apps: number
}

function PasswordForm({ minChars, tokens, apps }: PasswordFormProps) {
  const { errorOf, isTicked } = useFormState('password')
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="password" />
      <Field
        id="current-password"
        name="currentPassword"
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        error={errorOf('currentPassword')}
      />
      <Field
        id="new-password"
        name="newPassword"
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        hint={`At least ${minChars} characters. Other sessions will be signed out.`}
        error={errorOf('newPassword')}
      />
      {tokens + apps > 0 && (
        <Tick name="endTokens" isOn={isTicked('endTokens', false)}>
          Also {endingText(tokens, apps)}{' '}
          <span className="muted">if someone else may know the old password</span>
        </Tick>
      )}
      <button type="submit" className="button">
        Change password
      </button>
    </Form>
  )
}

function endingText(tokens: number, apps: number): string {
  const ofTokens = tokens > 0 && `delete my ${tokens === 1 ? 'token' : `${tokens} tokens`}`
  const ofApps = apps > 0 && `disconnect my ${apps === 1 ? 'application' : `${apps} applications`}`
  return [ofTokens, ofApps].filter((text) => text !== false).join(' and ')
}
