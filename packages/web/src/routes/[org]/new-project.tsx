import { Form, useActionData, useTyped } from '@sonde/router'
import type { action } from './page.server.ts'
import { PLATFORMS } from '../../parts/setup/platforms.ts'
import { Field } from '../../ui/field.tsx'

/** Folded away once there is a project: people make few. */
export function NewProject({ org, isOpen }: { readonly org: string; readonly isOpen: boolean }) {
  const refused = useActionData<typeof action>()
  const typed = useTyped()
  const errorOf = (field: string): string | undefined => refused?.fields[field]?.join('; ')
  return (
    <details className="new-project" open={isOpen || refused !== undefined}>
      <summary>New project</summary>
      <Form className="new-project-form">
        <Field
          id="slug"
          name="slug"
          label="Name"
          required
          maxLength={50}
          pattern="[a-z0-9][a-z0-9_\-]*"
          placeholder="shop"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="Lowercase letters, digits, - and _. Used in URLs."
          error={errorOf('slug')}
          defaultValue={typed('slug') ?? ''}
        />
        <div className="field">
          <label htmlFor="platform">Platform</label>
          <select
            id="platform"
            name="platform"
            className="input"
            defaultValue={typed('platform') ?? 'javascript'}
          >
            {PLATFORMS.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" className="button button-primary">
          Create project
        </button>
      </Form>
      <p className="muted">
        Or from the command line:{' '}
        <code>npm run sonde -- project create {org}/shop --platform javascript</code>
      </p>
    </details>
  )
}
