import { Form, useActionData } from '@sonde/router'
import type { action } from './page.server.ts'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { MadeTokenNotice } from '../../../parts/tokens/made-token.tsx'
import { PasswordAgainField } from '../../../parts/tokens/password-again.tsx'
import { ScopesField } from '../../../parts/tokens/scopes-field.tsx'
import { TokenLifeField } from '../../../parts/tokens/token-life-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { BuildToken } from './build-token.tsx'
import { OrgField } from './org-field.tsx'

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
