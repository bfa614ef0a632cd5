import '../../../parts/forms/settings.css'
import '../../../parts/tokens/account.css'
import './authorize.css'
import { Form, Link, useActionData, usePageData } from '@sonde/router'
import { useEffect } from 'react'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { PasswordAgainField, ScopeTick } from '../../../parts/tokens/token-form.tsx'
import { paths } from '../../../paths.ts'
import { UserText } from '../../../ui/user-text.tsx'
import type { action, load } from './page.server.ts'

export function title() {
  return 'Connect an application · Sonde'
}

export default function Authorize() {
  const { asking, fault } = usePageData<typeof load>()
  const answer = useActionData<typeof action>()
  return (
    <div className="page page-narrow">
      {answer !== undefined && 'location' in answer ? (
        <Answered location={answer.location} isAllowed={answer.isAllowed} />
      ) : asking ? (
        <Consent />
      ) : (
        <Fault fault={fault} />
      )}
    </div>
  )
}

type FaultProps = {
  readonly fault: { readonly description: string; readonly back?: string | undefined } | undefined
}

/** Nobody is sent on by an address alone: the application is told when somebody presses the link. */
function Fault({ fault }: FaultProps) {
  return (
    <>
      <div className="page-head">
        <h1>This application cannot be connected</h1>
      </div>
      <p role="alert" className="consent-fault">
        {fault?.description}
      </p>
      <p>
        <Link className="text-link" to={paths.home()}>
          To your organizations
        </Link>
        {fault?.back !== undefined && (
          <>
            {' or '}
            <a className="text-link" href={fault.back}>
              tell the application
            </a>{' '}
            <span className="muted">
              on <bdi>{new URL(fault.back).host}</bdi>
            </span>
          </>
        )}
      </p>
    </>
  )
}

/** With scripts the browser goes on by itself; without them there is the link. */
function Answered({ location, isAllowed }: { readonly location: string; readonly isAllowed: boolean }) {
  useEffect(() => window.location.assign(location), [location])
  return (
    <>
      <div className="page-head">
        <h1>{isAllowed ? 'Connected' : 'Not connected'}</h1>
      </div>
      <p role="status">
        {isAllowed
          ? 'You can close this page once the application says that it is connected.'
          : 'The application got no access.'}
      </p>
      <p>
        <a className="text-link" href={location}>
          Back to the application
        </a>
      </p>
      <p className="muted">
        Connected applications are in your{' '}
        <Link className="text-link" to={`${paths.account()}#apps`}>
          account settings
        </Link>
        .
      </p>
    </>
  )
}

function Consent() {
  const { asking, orgs = [], email, proof, signInAgain } = usePageData<typeof load>()
  if (!asking) return null
  return (
    <>
      <div className="page-head">
        <h1>
          Connect <UserText text={asking.name} />?
        </h1>
      </div>
      <p className="consent-warning">
        Nobody has verified this name: any program can call itself “<UserText text={asking.name} />
        ”. Go on only if you have just started this yourself.
      </p>
      <dl className="consent-facts">
        <dt>You are</dt>
        <dd>
          <bdi>{email}</bdi>
        </dd>
        <dt>Returns to</dt>
        <dd>
          <bdi>{asking.target}</bdi>
        </dd>
        <dt>Opens</dt>
        <dd>{asking.isForMcp ? 'the MCP server, and nothing else' : 'the API and the MCP server'}</dd>
        <dt>Ends</dt>
        <dd>after 30 days without use, after a year, or when you disconnect it</dd>
      </dl>
      {proof === 'sign-in' ? (
        <p role="alert">
          You signed in some time ago.{' '}
          {signInAgain === undefined ? (
            'Sign out, sign in again and start once more from the application.'
          ) : (
            <a className="text-link" href={signInAgain}>
              Sign in again to go on
            </a>
          )}
        </p>
      ) : orgs.length === 0 ? (
        <p role="alert">You are in no organization where you could give what it asks for.</p>
      ) : (
        <ConsentForm />
      )}
    </>
  )
}

function ConsentForm() {
  const { asking, orgs = [], proof } = usePageData<typeof load>()
  const state = useFormState('consent')
  const scopesError = state.errorOf('scopes')
  const [only] = orgs
  return (
    <Form className="settings-form">
      {orgs.length === 1 && only ? (
        <p>
          <input type="hidden" name="org" value={only.slug} />
          It acts as you in{' '}
          <strong>
            <UserText text={only.name} />
          </strong>
          , and never does more than you may:
        </p>
      ) : (
        <div className="field">
          <label htmlFor="consent-org">It acts as you in this organization alone</label>
          <select
            id="consent-org"
            name="org"
            className="input"
            defaultValue={state.valueOf('org', only?.slug ?? '')}
          >
            {orgs.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      <fieldset
        className="token-scopes"
        aria-describedby={scopesError === undefined ? undefined : 'consent-scopes-error'}
      >
        <legend>It may</legend>
        {asking?.scopes.map((scope) => (
          <ScopeTick key={scope} scope={scope} isOn />
        ))}
      </fieldset>
      {scopesError !== undefined && (
        <p className="field-error" id="consent-scopes-error">
          {scopesError}
        </p>
      )}
      {asking !== undefined && asking.beyond.length > 0 && (
        <p className="muted">Asked for too, which your role does not include: {asking.beyond.join(', ')}.</p>
      )}
      {proof === 'password' && <PasswordAgainField id="consent-password" state={state} />}
      <div className="settings-line">
        <button type="submit" className="button button-primary" name="decision" value="allow">
          Allow
        </button>
        <button type="submit" className="button" name="decision" value="deny" formNoValidate>
          Deny
        </button>
      </div>
    </Form>
  )
}
