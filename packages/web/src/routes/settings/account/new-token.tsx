import { Form, useActionData } from '@sonde/router'
import { type FormState, useFormState } from '../../../parts/forms/use-form-state.ts'
import {
  MadeTokenNotice,
  PasswordAgainField,
  ScopesField,
  TokenLifeField,
} from '../../../parts/tokens/token-form.tsx'
import { Field } from '../../../ui/field.tsx'
import type { action } from './page.server.ts'

export type NewTokenProps = {
  readonly orgs: readonly { readonly slug: string; readonly name: string }[]
  readonly scopes: readonly string[]
  /** In one of the organizations at least; where it is not allowed, that is said beside the field. */
  readonly mayBeEndless: boolean
}

/** One for uploads with a press, and one with chosen scopes. */
export function NewToken({ orgs, scopes, mayBeEndless }: NewTokenProps) {
  const made = useActionData<typeof action>()?.madeToken
  const state = useFormState('new-token')
  return (
    <>
      <MadeTokenNotice made={made} />
      {scopes.includes('org:ci') && <BuildToken key={`build ${made?.token}`} orgs={orgs} />}
      <Form className="settings-form" key={`new ${made?.token}`}>
        <input type="hidden" name="form" value="new-token" />
        <Field
          id="token-name"
          name="name"
          label="New token"
          required
          maxLength={100}
          placeholder="Release script"
          autoComplete="off"
          defaultValue={state.valueOf('name', '')}
          error={state.errorOf('name')}
        />
        <OrgField id="token-org" orgs={orgs} state={state} />
        <ScopesField id="token-scopes" scopes={scopes} state={state} />
        <TokenLifeField id="token-life" state={state} usual="90" mayBeEndless={mayBeEndless} />
        <PasswordAgainField id="token-password" state={state} />
        <button type="submit" className="button">
          Create token
        </button>
      </Form>
    </>
  )
}

/** The token that a build needs, with a press: nobody has to know which scope that is. */
function BuildToken({ orgs }: Pick<NewTokenProps, 'orgs'>) {
  const state = useFormState('build-token')
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="build-token" />
      <input type="hidden" name="scopes" value="org:ci" />
      <Field
        id="build-token-name"
        name="name"
        label="New build token"
        hint="For CI: uploads source maps and creates releases. Set it as SENTRY_AUTH_TOKEN. It contains the server URL and organization, so sentry-cli and the bundler plugins need no other settings."
        required
        maxLength={100}
        autoComplete="off"
        defaultValue={state.valueOf('name', 'Source maps')}
        error={state.errorOf('name')}
      />
      <OrgField id="build-token-org" orgs={orgs} state={state} />
      <TokenLifeField id="build-token-life" state={state} usual="365" mayBeEndless />
      <PasswordAgainField id="build-token-password" state={state} />
      <button type="submit" className="button">
        Create build token
      </button>
    </Form>
  )
}

type OrgFieldProps = {
  readonly id: string
  readonly orgs: readonly { readonly slug: string; readonly name: string }[]
  readonly state: FormState
}

/** For which organization a token is. */
function OrgField({ id, orgs, state }: OrgFieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>Organization</label>
      <select id={id} name="org" className="input" defaultValue={state.valueOf('org', orgs[0]?.slug ?? '')}>
        {orgs.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
