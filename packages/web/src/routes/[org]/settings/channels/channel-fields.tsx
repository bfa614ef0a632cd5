import type { ChannelKind } from '@sonde/stores'
import type { ReactNode } from 'react'
import type { FormState } from '../../../../parts/forms/use-form-state.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { type ChannelField, inputName, KINDS } from './channel-kinds.ts'

export type ChannelFieldsProps = {
  readonly kind: ChannelKind
  readonly state: FormState
  /** Of a channel that is there: its secret is set, and may stay. */
  readonly stored?: { readonly name: string; readonly settings: Readonly<Record<string, unknown>> }
}

/** Name, settings and secret of a channel. */
export function ChannelFields({ kind, state, stored }: ChannelFieldsProps) {
  const { fields, name } = KINDS[kind]
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
  return (
    <>
      <Field
        id="channel-name"
        name="name"
        label="Name"
        required
        maxLength={100}
        autoComplete="off"
        placeholder={`${name}: #alerts`}
        defaultValue={state.valueOf('name', stored?.name ?? '')}
        error={state.errorOf('name')}
      />
      {fields
        .filter(({ place }) => place === 'settings')
        .map((field) => (
          <OneField
            key={field.name}
            field={field}
            required={!field.isOptional}
            value={state.valueOf(field.name, textOf(stored?.settings[field.name]))}
            error={state.errorOf(field.name)}
          />
        ))}
      {fields
        .filter(({ place }) => place === 'secret')
        .map((field) => (
          <OneField
            key={field.name}
            field={stored ? { ...field, placeholder: 'Set; write a new one to replace it' } : field}
            required={!field.isOptional && !stored}
            // What was typed into a secret never comes back in a page.
            value=""
            error={state.errorOf(field.name)}
          />
        ))}
    </>
  )
}

type OneFieldProps = {
  readonly field: ChannelField
  readonly required: boolean
  readonly value: string
  readonly error: string | undefined
}

function OneField({ field, required, value, error }: OneFieldProps) {
  const { name, label, hint, placeholder, type = 'text', place } = field
  return (
    <Field
      id={`channel-${name}`}
      name={inputName(field)}
      label={label}
      type={place === 'secret' ? 'password' : type}
      required={required}
      autoComplete={place === 'secret' ? 'new-password' : 'off'}
      spellCheck={false}
      placeholder={placeholder}
      defaultValue={value}
      error={error}
      {...(hint !== undefined && { hint })}
    />
  )
}

/** Where the values are found. */
export function KindSteps({ kind }: { readonly kind: ChannelKind }) {
  return (
    <ol className="channel-steps">
      {KINDS[kind].steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  )
}

export type ChannelHookProps = { readonly kind: ChannelKind; readonly url: string }

/** The address at which the other program tells what people do there; of a kind that does. */
export function ChannelHook({ kind, url }: ChannelHookProps) {
  const { hook } = KINDS[kind]
  if (!hook) return null
  return (
    <>
      <div className="dsn">
        <code>{url}</code>
        <CopyButton text={url} what={hook.name.toLowerCase()} />
      </div>
      <ol className="channel-steps">
        {hook.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </>
  )
}

export type SigningSecretProps = { readonly secret: string | undefined; readonly children?: ReactNode }

/** The signing secret of a webhook, once, in the answer to the post. */
export function SigningSecret({ secret, children }: SigningSecretProps) {
  return (
    <div role="status">
      {secret !== undefined && (
        <div className="saved-notice">
          {children}
          <p>Copy the signing secret now. It won’t be shown again.</p>
          <div className="dsn">
            <code>{secret}</code>
            <CopyButton text={secret} what="signing secret" />
          </div>
        </div>
      )}
    </div>
  )
}

/** How the program at the other end knows that a message is from here. */
export function HowToVerify() {
  return (
    <details className="key-fold channel-verify">
      <summary>How to verify the signature</summary>
      <p>
        Messages are signed as{' '}
        <a href="https://www.standardwebhooks.com/" rel="noreferrer">
          Standard Webhooks
        </a>{' '}
        says. In Node, with <code>npm install standardwebhooks</code>:
      </p>
      <pre className="channel-code" tabIndex={0}>
        <code>{VERIFY}</code>
      </pre>
      <p>
        Without a library: <code>webhook-signature</code> is <code>v1,</code> and the Base64 of the
        HMAC-SHA256 of <code>webhook-id.webhook-timestamp.body</code>, with the bytes behind{' '}
        <code>whsec_</code> (Base64) as key. A message that is sent again has the same <code>webhook-id</code>
        .
      </p>
    </details>
  )
}

const VERIFY = `import { Webhook } from 'standardwebhooks'
// body: the bytes as they came, before JSON.parse
const message = new Webhook(signingSecret).verify(body, headers)`
