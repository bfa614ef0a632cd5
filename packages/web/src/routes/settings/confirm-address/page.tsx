import '../../../parts/forms/settings.css'
import { Form, Link, usePageData } from '@sonde/router'
import { paths } from '../../../paths.ts'
import { UserText } from '../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export function title() {
  return 'Confirm address · Sonde'
}

/** For who comes from a mail, signed in or not. */
export default function ConfirmAddress() {
  const { isDone, change } = usePageData<typeof load>()
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>{isDone ? 'Your address is changed' : 'Confirm your new address'}</h1>
      </div>
      {isDone ? (
        <p role="status">From now on you sign in with it, and mail goes there.</p>
      ) : change === undefined ? (
        <p>
          This link was used, has expired or is not complete, or somebody else has the address meanwhile. Ask
          for another one in your{' '}
          <Link className="text-link" to={paths.account()}>
            account
          </Link>
          .
        </p>
      ) : (
        <Form className="settings-form">
          <p>
            The account <UserText text={change.before} /> gets the address{' '}
            <strong>
              <UserText text={change.email} />
            </strong>
            .
          </p>
          <button type="submit" className="button button-primary">
            Confirm
          </button>
        </Form>
      )}
      <p>
        <Link className="text-link" to={paths.account()}>
          To your account
        </Link>
      </p>
    </div>
  )
}
