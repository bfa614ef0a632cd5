import '../../sign-in.css'
import { Form, Link, usePageData } from '@sonde/router'
import { failureText } from '../../../../parts/sso/failure-words.ts'
import { paths } from '../../../../paths.ts'
import { Mark } from '../../../../ui/icon.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export function title() {
  return 'Single sign-on · Sonde'
}

export default function OrgSignIn() {
  const { door, next, failed, isConnected, email, isIn, isClosed, isByProvider, home, signIn, connect } =
    usePageData<typeof load>()
  const failure = failureText(failed)
  return (
    <div className="sign-in">
      <h1>
        <Mark />{' '}
        {door ? (
          <span className="sign-in-org">
            Sign in to <UserText text={door.orgName} />
          </span>
        ) : (
          'Single sign-on'
        )}
      </h1>
      {failure !== undefined && (
        <p className="form-error sign-in-notice-bad" role="alert">
          {failure}
        </p>
      )}
      {isConnected && (
        <p className="saved-notice" role="status">
          Connected. From now on you can sign in with it.
        </p>
      )}
      {isClosed && (
        <p className="sign-in-notice" role="status">
          {isByProvider
            ? 'You signed in with another organization’s provider, which does not open this one.'
            : 'This organization requires single sign-on.'}
        </p>
      )}
      {door && signIn !== undefined ? (
        <div className="sign-in-doors">
          <a href={signIn} className="button button-primary" rel="nofollow">
            Sign in with <UserText text={door.name} />
          </a>
          {connect !== undefined && (
            <>
              <p>
                You are signed in as {email}. If you have an account at <UserText text={door.name} />, connect
                it: then both lead to the same account here.
              </p>
              <a href={connect} className="button" rel="nofollow">
                Connect my account
              </a>
            </>
          )}
        </div>
      ) : (
        failure === undefined && <p>Single sign-on is not set up here.</p>
      )}
      <div className="sign-in-help">
        {home !== undefined && isIn && <Link to={home}>Back to the organization</Link>}
        {email === undefined && <Link to={paths.signIn(next)}>Sign in with a password</Link>}
        {isClosed && (
          <Form method="post" action={paths.signOut()}>
            <button type="submit" className="button">
              Sign out
            </button>
          </Form>
        )}
      </div>
    </div>
  )
}
