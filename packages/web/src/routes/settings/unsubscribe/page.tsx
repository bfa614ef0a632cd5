import '../../../parts/forms/settings.css'
import { Form, Link, usePageData } from '@sonde/router'
import { paths } from '../../../paths.ts'
import { UserText } from '../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export function title() {
  return 'Unsubscribe · Sonde'
}

/** For who comes from a mail, signed in or not: says what ends, or what has ended. */
export default function Unsubscribe() {
  const { mail, isSignedIn } = usePageData<typeof load>()
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>{mail?.isAlreadyOff ? 'You are unsubscribed' : 'Unsubscribe'}</h1>
      </div>
      <div role="status">
        {mail === undefined ? (
          <p>
            This link is not valid, or no longer. Sign in to change what you are told in your{' '}
            <Link className="text-link" to={paths.notifications()}>
              notification settings
            </Link>
            .
          </p>
        ) : (
          <p>
            {mail.isAlreadyOff ? 'You get no more email about ' : 'This ends email about '}
            {mail.issue !== undefined && (
              <>
                what others do about <strong>{mail.issue}</strong> in{' '}
              </>
            )}
            {mail.isActivity && 'what others do about issues of '}
            {mail.project === undefined ? (
              'any project'
            ) : (
              <strong>
                <UserText text={mail.project} />
              </strong>
            )}
            {mail.issue !== undefined
              ? ', and the inbox tells you no more of it, until you are assigned or mentioned.'
              : mail.isAlreadyOff
                ? '. The inbox and other channels are as they were.'
                : '. The inbox and other channels stay as they are.'}
          </p>
        )}
      </div>
      {mail !== undefined && !mail.isAlreadyOff && (
        <Form className="settings-form">
          <button type="submit" className="button button-primary">
            Unsubscribe
          </button>
        </Form>
      )}
      {mail?.isAlreadyOff && (
        <p>
          To get it again, {isSignedIn ? 'change' : 'sign in and change'} your{' '}
          <Link className="text-link" to={paths.notifications()}>
            notification settings
          </Link>
          .
        </p>
      )}
    </div>
  )
}
