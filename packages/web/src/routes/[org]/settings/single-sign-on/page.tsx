import '../../../../parts/forms/settings.css'
import '../../../../parts/integrations/integrations.css'
import '../../../../parts/tokens/account.css'
import './single-sign-on.css'
import type { SsoSettings } from '@sonde/queries'
import { Form, Link, usePageData, useParams } from '@sonde/router'
import { countOf } from '../../../../format/format-count.ts'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { failureText } from '../../../../parts/sso/failure-words.ts'
import { paths } from '../../../../paths.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Section } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { SettingsHead } from '../settings-head.tsx'
import { Domains, Groups } from './domains-and-groups.tsx'
import type { load } from './page.server.ts'
import { CopyLine, ProviderForm } from './provider-form.tsx'
import { Provisioning } from './provisioning.tsx'

export function title(data: unknown) {
  return `Single sign-on · ${(data as { orgName: string }).orgName} · Sonde`
}

const KINDS = [
  ['oidc', 'OpenID Connect'],
  ['saml', 'SAML 2.0'],
] as const

export default function SingleSignOn() {
  const { orgName, owned, kind: chosen, failed } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  const failure = failureText(failed)
  const connection = owned?.connection
  const kind = chosen ?? connection?.kind
  return (
    <div className="page page-narrow">
      <SettingsHead name={orgName} here="sso">
        <span className="muted">single sign-on</span>
      </SettingsHead>
      <SavedNotice />
      {failure !== undefined && (
        <div className="tried-refused" role="alert">
          <p>The test did not work. {failure}</p>
          {connection?.lastFailure && (
            <p className="tried-answer">
              <UserText text={connection.lastFailure.message} />
            </p>
          )}
        </div>
      )}
      {!owned && <p className="muted">Only owners can see and change single sign-on.</p>}
      {connection && owned && (
        <Section id="status" title="Status">
          <Status connection={connection} testUrl={owned.testUrl} signInUrl={owned.signInUrl} />
        </Section>
      )}
      {owned && (
        <Section id="provider" title="Provider" note={connection ? undefined : 'Choose how it speaks.'}>
          <ul className="kind-choice">
            {KINDS.map(([id, name]) => (
              <li key={id}>
                <Link
                  to={`${paths.singleSignOn(org)}?kind=${id}#provider`}
                  aria-current={id === kind ? 'true' : undefined}
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
          {!kind && (
            <p className="muted sso-empty">
              With a provider, people sign in to this organization with the account they have at work. They
              get accounts, roles and teams by themselves, and lose them there.
            </p>
          )}
          {connection && kind !== connection.kind && (
            <p className="muted sso-empty">
              Saving this takes the place of the provider that is set up now, and people connect anew.
            </p>
          )}
          {kind && (
            <ProviderForm
              key={kind}
              kind={kind}
              addresses={owned.addresses}
              stored={connection?.kind === kind ? connection : undefined}
            />
          )}
        </Section>
      )}
      {owned && (
        <>
          <Section
            id="domains"
            title="Domains"
            note="Whose addresses become accounts here, and lead to this provider on the sign-in page."
          >
            <Domains domains={owned.domains} />
          </Section>
          {connection && (
            <Section
              id="groups"
              title="Groups"
              note="What a group of the provider gives. It follows at each sign-in: who leaves the group loses it."
            >
              <Groups groups={connection.groups} teams={owned.teams} />
            </Section>
          )}
          <Section
            id="scim"
            title="Provisioning (SCIM)"
            note="Your directory adds people, removes them at once, and keeps teams."
          >
            <Provisioning scim={owned.scim} />
          </Section>
          {connection && (
            <Section id="delete" title="Delete">
              <details className="key-fold">
                <summary>Delete single sign-on</summary>
                <Form className="settings-form danger">
                  <input type="hidden" name="form" value="delete" />
                  <p>
                    Sessions that began with it end. {countOf(connection.people, 'person', 'people')} signed
                    in with it: they stay members, and need a password from then on.
                  </p>
                  <button type="submit" className="button button-danger">
                    Delete single sign-on
                  </button>
                </Form>
              </details>
            </Section>
          )}
        </>
      )}
    </div>
  )
}

type StatusProps = {
  readonly connection: SsoSettings
  readonly testUrl: string | undefined
  readonly signInUrl: string
}

/** Whether it works, and what switches it. */
function Status({ connection, testUrl, signInUrl }: StatusProps) {
  const { isOn, isRequired, name, test, lastSignInMs, lastFailure, people } = connection
  const refused = useFormState('switch').errorOf('form')
  return (
    <>
      <p>
        {isOn ? <Badge tone="good">on</Badge> : <Badge>off</Badge>} {isRequired && <Badge>required</Badge>}{' '}
        <UserText text={name} /> · {countOf(people, 'person', 'people')}
        {lastSignInMs !== undefined && (
          <>
            {' '}
            · last sign-in <Ago atMs={lastSignInMs} />
          </>
        )}
      </p>
      {lastFailure && (
        <p className="sso-failure">
          Last failure <Ago atMs={lastFailure.atMs} />: <UserText text={lastFailure.message} />
        </p>
      )}
      <div className="settings-line">
        {testUrl === undefined ? (
          <p className="muted">Sign in with your password to test it.</p>
        ) : (
          <a href={testUrl} rel="nofollow" className={test ? 'button' : 'button button-primary'}>
            Test the connection
          </a>
        )}
        {isOn ? (
          <>
            <Switch isOn isRequired={!isRequired}>
              {isRequired ? 'Allow passwords again' : 'Require single sign-on'}
            </Switch>
            <Switch isOn={false}>Turn off</Switch>
          </>
        ) : (
          test && (
            <Switch isOn isPrimary>
              Turn on
            </Switch>
          )
        )}
      </div>
      {refused !== undefined && (
        <p className="field-error" role="alert">
          {refused}
        </p>
      )}
      {!test && (
        <p className="muted sso-empty">
          Test it first: you sign in at the provider once, and see here what it tells. Then you can turn it
          on.
        </p>
      )}
      {isOn && (
        <p className="muted sso-empty">
          {isRequired
            ? 'A password opens this organization for its owners only, in case the provider is away.'
            : 'People can sign in with the provider or with a password.'}
        </p>
      )}
      {test && <TestResult test={test} />}
      <CopyLine label="Sign-in page of the organization" text={signInUrl} />
    </>
  )
}

type SwitchProps = {
  readonly isOn: boolean
  readonly isRequired?: boolean
  readonly isPrimary?: boolean
  readonly children: string
}

function Switch({ isOn, isRequired = false, isPrimary = false, children }: SwitchProps) {
  return (
    <Form>
      <input type="hidden" name="form" value="switch" />
      <input type="hidden" name="required" value={isRequired ? 'yes' : 'no'} />
      <button
        type="submit"
        name="on"
        value={isOn ? 'yes' : 'no'}
        className={isPrimary ? 'button button-primary' : 'button'}
      >
        {children}
      </button>
    </Form>
  )
}

/** What the provider told in the last test. */
function TestResult({ test }: { readonly test: NonNullable<SsoSettings['test']> }) {
  const { email, isEmailVerified, name, groups, groupCount, matched, atMs } = test
  return (
    <dl className="facts sso-test">
      <div>
        <dt>Tested</dt>
        <dd>
          <Ago atMs={atMs} />
        </dd>
      </div>
      <div>
        <dt>Address</dt>
        <dd>
          {email === undefined ? 'none: nobody can sign in' : <UserText text={email} />}{' '}
          {email !== undefined && !isEmailVerified && <Badge tone="bad">not verified</Badge>}
        </dd>
      </div>
      <div>
        <dt>Name</dt>
        <dd>{name === undefined ? 'none' : <UserText text={name} />}</dd>
      </div>
      <div>
        <dt>Groups</dt>
        <dd>
          {groupCount === 0 ? 'none' : <UserText text={groups.join(', ')} />}
          {groupCount > groups.length && ` and ${groupCount - groups.length} more`}
          {matched.length > 0 && ` (${matched.length} mapped)`}
        </dd>
      </div>
    </dl>
  )
}
