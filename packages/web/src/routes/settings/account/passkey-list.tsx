import type { PasskeyCreation, PasskeyRow } from '@sonde/access'
import { deviceName } from '@sonde/access/device-name'
import { Form } from '@sonde/router'
import { useEffect, useRef, useState } from 'react'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Field } from '../../../ui/field.tsx'
import { useIsInBrowser } from '../../../ui/page-clock.tsx'
import { Ago } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'

/** Without JavaScript the answer to a post is shown from here on. */
const PASSKEYS_PATH = `${paths.account()}#passkeys`

export type PasskeyListProps = {
  readonly passkeys: readonly PasskeyRow[]
  /** Undefined: they work nowhere at this address. */
  readonly options: PasskeyCreation | undefined
  /** Why browsers would refuse them at this address. */
  readonly whyNot: string | undefined
}

export function PasskeyList({ passkeys, options, whyNot }: PasskeyListProps) {
  return (
    <>
      {passkeys.length === 0 ? (
        <p className="muted">
          No passkeys yet. With one you sign in without typing a password, and it stands in for the code after
          one.
        </p>
      ) : (
        <ul className="account-list" aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {options ? <NewPasskey options={options} /> : <p className="muted">{whyNot}</p>}
    </>
  )
}

function PasskeyItem({ passkey }: { readonly passkey: PasskeyRow }) {
  const { id, name, isSynced, createdMs, lastUsedMs } = passkey
  const { errorOf, isRefused } = useFormState(`passkey-remove-${id}`)
  return (
    <li>
      <div className="account-item">
        <p>
          <UserText text={name} /> {isSynced && <Badge>synced</Badge>}
        </p>
        <p className="muted">
          added <Ago atMs={createdMs} /> ·{' '}
          {lastUsedMs === undefined ? (
            'never used'
          ) : (
            <>
              last used <Ago atMs={lastUsedMs} />
            </>
          )}
        </p>
      </div>
      <details className="key-fold" open={isRefused}>
        <summary aria-label={`Remove ${name}`}>Remove</summary>
        <Form className="settings-form danger" action={PASSKEYS_PATH}>
          <input type="hidden" name="form" value="passkey-remove" />
          <input type="hidden" name="passkeyId" value={id} />
          <p>It no longer signs you in. Delete it on the device too.</p>
          <Field
            id={`passkey-${id}-password`}
            name="currentPassword"
            label="Your password"
            type="password"
            autoComplete="current-password"
            required
            error={errorOf('currentPassword')}
          />
          <button type="submit" className="button button-danger" aria-label={`Remove passkey ${name}`}>
            Remove passkey
          </button>
        </Form>
      </details>
    </li>
  )
}

function NewPasskey({ options }: { readonly options: PasskeyCreation }) {
  const isInBrowser = useIsInBrowser()
  const { errorOf, valueOf } = useFormState('passkey')
  const submit = useRef<HTMLButtonElement>(null)
  const [response, setResponse] = useState('')
  const [trouble, setTrouble] = useState('')
  useEffect(() => {
    if (response !== '') submit.current?.click()
  }, [response])
  if (!isInBrowser)
    return (
      <noscript>
        <p>Passkeys need JavaScript.</p>
      </noscript>
    )
  const make = async (form: HTMLFormElement): Promise<void> => {
    setTrouble('')
    if (!form.reportValidity()) return
    try {
      const { startRegistration } = await import('@simplewebauthn/browser')
      setResponse(JSON.stringify(await startRegistration({ optionsJSON: options })))
    } catch (error) {
      setTrouble(troubleOf(error))
    }
  }
  const error = trouble === '' ? errorOf('passkey') : trouble
  return (
    // A challenge is taken once: each answer of the server brings another, and the form begins anew with it.
    <Form className="settings-form" action={PASSKEYS_PATH} key={options.challenge}>
      <input type="hidden" name="form" value="passkey" />
      <input type="hidden" name="response" value={response} />
      <Field
        id="passkey-name"
        name="name"
        label="Name of the passkey"
        required
        maxLength={100}
        autoComplete="off"
        defaultValue={valueOf('name', deviceName(navigator.userAgent) ?? 'Passkey')}
        error={errorOf('name')}
      />
      <Field
        id="passkey-password"
        name="currentPassword"
        label="Your password"
        type="password"
        autoComplete="current-password"
        required
        error={errorOf('currentPassword')}
      />
      <button
        type="button"
        className="button"
        onClick={({ currentTarget: { form } }) => form && void make(form)}
      >
        Add a passkey
      </button>
      <button type="submit" ref={submit} hidden>
        Continue
      </button>
      <div role="alert">{error !== undefined && <p className="field-error">{error}</p>}</div>
    </Form>
  )
}

function troubleOf(error: unknown): string {
  const { name, code } = error as { readonly name?: string; readonly code?: string }
  if (name === 'InvalidStateError' || code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'This device has a passkey for your account already.'
  return 'No passkey was made: it was cancelled, took too long, or this browser can make none.'
}
