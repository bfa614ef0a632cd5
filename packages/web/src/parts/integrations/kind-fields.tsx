import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/field.tsx'
import { LinesField } from '../../ui/lines-field.tsx'
import { UserText } from '../../ui/user-text.tsx'
import type { FormState } from '../forms/use-form-state.ts'
import { inputName, type KindField, type KindWords } from './kind-form.ts'

export type KindFieldsProps = {
  /** What its fields' ids begin with. */
  readonly prefix: string
  readonly words: KindWords
  /** What a name may look like. */
  readonly namePlaceholder: string
  readonly state: FormState
  /** Of one that is there: its secret is set, and may stay. */
  readonly stored?: { readonly name: string; readonly settings: Readonly<Record<string, unknown>> }
}

/** Name, settings and secret of a connection. */
export function KindFields({ prefix, words, namePlaceholder, state, stored }: KindFieldsProps) {
  const of = (wanted: KindField['place']) => words.fields.filter(({ place }) => place === wanted)
  return (
    <>
      <Field
        id={`${prefix}-name`}
        name="name"
        label="Name"
        required
        maxLength={100}
        autoComplete="off"
        placeholder={namePlaceholder}
        defaultValue={state.valueOf('name', stored?.name ?? '')}
        error={state.errorOf('name')}
      />
      {of('settings').map((field) => (
        <OneField
          key={field.name}
          prefix={prefix}
          field={field}
          required={!field.isOptional}
          value={state.valueOf(field.name, textOf(stored?.settings[field.name]))}
          error={state.errorOf(field.name)}
        />
      ))}
      {of('secret').map((field) => (
        <OneField
          key={field.name}
          prefix={prefix}
          field={stored ? { ...field, placeholder: field.isOptional ? UNCHANGED : SET } : field}
          required={!field.isOptional && !stored}
          // What was typed into a secret never comes back in a page.
          value=""
          error={state.errorOf(field.name)}
        />
      ))}
    </>
  )
}

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join('\n') : typeof value === 'string' ? value : ''

const SET = 'Set; write a new one to replace it'
/** Whether one that may be left out is set, the page does not know. */
const UNCHANGED = 'Empty: stays as it is'

type OneFieldProps = {
  readonly prefix: string
  readonly field: KindField
  readonly required: boolean
  readonly value: string
  readonly error: string | undefined
}

function OneField({ prefix, field, required, value, error }: OneFieldProps) {
  const { name, label, hint, placeholder, type = 'text', place } = field
  const shared = { id: `${prefix}-${name}`, name: inputName(field), label, defaultValue: value, error }
  if (type === 'lines' || type === 'json')
    return (
      <LinesField
        {...shared}
        {...(hint !== undefined && { hint })}
        placeholder={placeholder}
        rows={type === 'json' ? 6 : 3}
      />
    )
  return (
    <Field
      {...shared}
      type={place === 'secret' ? 'password' : type}
      required={required}
      autoComplete={place === 'secret' ? 'new-password' : 'off'}
      spellCheck={false}
      placeholder={placeholder}
      {...(hint !== undefined && { hint })}
    />
  )
}

/** Where the values are found. */
export function KindSteps({ steps }: { readonly steps: readonly string[] }) {
  return (
    <ol className="kind-steps">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  )
}

export type ShownSecretProps = {
  /** `signing secret`. */
  readonly what: string
  readonly secret: string | undefined
  readonly children?: ReactNode
}

/** A secret that was just made, once, in the answer to the post. */
export function ShownSecret({ what, secret, children }: ShownSecretProps) {
  return (
    <div role="status">
      {secret !== undefined && (
        <div className="saved-notice">
          {children}
          <p>Copy the {what} now. It won’t be shown again.</p>
          <div className="dsn">
            <code>{secret}</code>
            <CopyButton text={secret} what={what} />
          </div>
        </div>
      )}
    </div>
  )
}

export type TriedProps = {
  /** Undefined: nobody tried. */
  readonly tried: { readonly isGood: boolean; readonly answer: string } | undefined
  readonly good: string
  readonly bad: string
}

/** What the other side answered to a test. */
export function Tried({ tried, good, bad }: TriedProps) {
  return (
    <div role="status" className="tried">
      {tried && (
        <div className={tried.isGood ? 'saved-notice' : 'tried-refused'}>
          <p>{tried.isGood ? good : bad} It answered:</p>
          <p className="tried-answer">
            <UserText text={tried.answer} />
          </p>
        </div>
      )}
    </div>
  )
}
