import type { ScimSettings } from '@sonde/queries'
import { Form, useActionData } from '@sonde/router'
import { countOf, formatCount } from '../../../../format/format-count.ts'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { MadeTokenNotice, PasswordAgainField } from '../../../../parts/tokens/token-form.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { action } from './page.server.ts'
import { CopyLine } from './provider-form.tsx'

/** What a directory needs to keep people and teams, and whether it does. */
export function Provisioning({ scim }: { readonly scim: ScimSettings }) {
  const answer = useActionData<typeof action>()
  const made = answer && 'madeToken' in answer ? answer.madeToken : undefined
  const state = useFormState('scim-token')
  const { url, isOn, madeMs, lastUsedMs, lastRequest, people, waiting, waitingNames } = scim
  return (
    <>
      <p>
        {isOn ? <Badge tone="good">on</Badge> : <Badge>off</Badge>}
        {people > 0 && ` ${countOf(people, 'person', 'people')} of the directory`}
        {isOn && madeMs !== undefined && (
          <>
            {people > 0 ? ' · ' : ' '}
            token created <Ago atMs={madeMs} />
          </>
        )}
        {isOn &&
          (lastUsedMs === undefined ? (
            ' · never used'
          ) : (
            <>
              {' '}
              · last request <Ago atMs={lastUsedMs} /> (<code>{lastRequest}</code>)
            </>
          ))}
      </p>
      {waiting > 0 && (
        <div className="sso-failure" id="scim-waiting">
          <p>
            {countOf(waiting, 'person waits', 'people wait')} for an account: verify the domain of their
            address above, or invite them.
          </p>
          <ul className="scim-waiting">
            {waitingNames.map((name) => (
              <li key={name}>
                <UserText text={name} />
              </li>
            ))}
            {waiting > waitingNames.length && <li>and {formatCount(waiting - waitingNames.length)} more</li>}
          </ul>
        </div>
      )}
      <CopyLine label="SCIM base URL (Okta), tenant URL (Entra)" text={url} />
      <div className="scim-actions">
        <MadeTokenNotice made={made} />
        {isOn ? (
          <>
            <details className="key-fold" open={state.isRefused}>
              <summary>Replace the token</summary>
              <Form className="settings-form danger">
                <input type="hidden" name="form" value="scim-token" />
                <p>
                  The current token stops working at once: your directory is refused until it has the new one.
                </p>
                <PasswordAgainField id="scim-password" state={state} />
                <button type="submit" className="button button-danger">
                  Replace the token
                </button>
              </Form>
            </details>
            <Form>
              <input type="hidden" name="form" value="scim-off" />
              <button type="submit" className="button">
                Turn provisioning off
              </button>
            </Form>
          </>
        ) : (
          <Form className="settings-form">
            <input type="hidden" name="form" value="scim-token" />
            <p>Create a token, and copy it into your directory together with the address above.</p>
            <PasswordAgainField id="scim-password" state={state} />
            <button type="submit" className="button">
              Create a token
            </button>
          </Form>
        )}
      </div>
    </>
  )
}
