import { Form } from '@sonde/router'
import { useFormState } from '../settings/use-form-state.ts'
import { Field } from '../ui/field.tsx'
import type { NewTokenProps } from './new-token.tsx'

/** The token that a build needs, with a press: nobody has to know which scope that is. */
export function BuildToken({ orgs }: Pick<NewTokenProps, 'orgs'>) {
  const { errorOf, valueOf } = useFormState('build-token')
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="build-token" />
      <input type="hidden" name="scopes" value="org:ci" />
      <Field
        id="build-token-name"
        name="name"
        label="Token for builds"
        hint="Uploads source maps and makes releases. sentry-cli and the bundler plugins read the address of this Sonde and the organisation out of it: set it as SENTRY_AUTH_TOKEN."
        required
        maxLength={100}
        autoComplete="off"
        defaultValue={valueOf('name', 'Source maps')}
        error={errorOf('name')}
      />
      <div className="field">
        <label htmlFor="build-token-org">Organisation</label>
        <select
          id="build-token-org"
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
      <button type="submit" className="button">
        Make a build token
      </button>
    </Form>
  )
}
