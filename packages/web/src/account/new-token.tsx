import { Form, useActionData } from '@sonde/router'
import type { action } from '../routes/settings/account/page.server.ts'
import { Tick } from '../settings/tick.tsx'
import { useFormState } from '../settings/use-form-state.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Field } from '../ui/field.tsx'
import { BuildToken } from './build-token.tsx'
import { scopeText } from './scope-texts.ts'

export type NewTokenProps = {
  readonly orgs: readonly { readonly slug: string; readonly name: string }[]
  readonly scopes: readonly string[]
}

/** The token itself is shown once, in the answer to the post: it is stored nowhere. */
export function NewToken({ orgs, scopes }: NewTokenProps) {
  const made = useActionData<typeof action>()?.madeToken
  const { errorOf, valueOf } = useFormState('new-token')
  const scopeError = errorOf('scopes')
  return (
    <>
      <div role="status">
        {made && (
          <div className="saved-notice">
            <p>Copy the token now: it is not shown again.</p>
            <div className="dsn">
              <code>{made.token}</code>
              <CopyButton text={made.token} what={`token ${made.name}`} />
            </div>
          </div>
        )}
      </div>
      {scopes.includes('org:ci') && <BuildToken orgs={orgs} />}
      <Form className="settings-form">
        <input type="hidden" name="form" value="new-token" />
        <Field
          id="token-name"
          name="name"
          label="New token"
          required
          maxLength={100}
          placeholder="Release script"
          autoComplete="off"
          defaultValue={valueOf('name', '')}
          error={errorOf('name')}
        />
        <div className="field">
          <label htmlFor="token-org">Organisation</label>
          <select
            id="token-org"
            name="org"
            className="input"
            defaultValue={valueOf('org', orgs[0]?.slug ?? '')}
          >
            {orgs.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <fieldset
          className="token-scopes"
          aria-describedby={scopeError === undefined ? undefined : 'token-scopes-error'}
        >
          <legend>It may</legend>
          {scopes.map((scope) => (
            <Tick key={scope} name="scopes" value={scope} isOn={scope === 'event:read'}>
              <code>{scope}</code> <span className="muted">{scopeText(scope)}</span>
            </Tick>
          ))}
        </fieldset>
        {scopeError !== undefined && (
          <p className="field-error" id="token-scopes-error">
            {scopeError}
          </p>
        )}
        <button type="submit" className="button">
          Make a token
        </button>
      </Form>
    </>
  )
}
