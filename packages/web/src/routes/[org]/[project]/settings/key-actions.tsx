import { Form } from '@sonde/router'
import type { KeyRow } from './key-table.tsx'
import { Field } from '../../../../ui/field.tsx'
import { LimitFields } from './limit-fields.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'

const GRACE: readonly (readonly [number, string])[] = [
  [0, 'expires now'],
  [24, 'expires in 24 hours'],
  [168, 'expires in 7 days'],
  [720, 'expires in 30 days'],
]

/** What can be done with one key. Each is a form of its own: it works without JavaScript. */
export function KeyActions({ item }: { readonly item: KeyRow }) {
  const { id, label, isActive, rateLimit } = item
  const state = useFormState(`key-${id}`)
  const { errorOf, isRefused, valueOf } = state
  const which = (
    <>
      <input type="hidden" name="form" value="key" />
      <input type="hidden" name="keyId" value={id} />
    </>
  )
  return (
    <div className="key-actions">
      <Form>
        {which}
        <button
          type="submit"
          name="does"
          value={isActive ? 'disable' : 'enable'}
          className="button button-small"
          aria-label={`${isActive ? 'Disable' : 'Enable'} key ${label}`}
        >
          {isActive ? 'Disable' : 'Enable'}
        </button>
      </Form>
      <details className="key-fold" open={isRefused}>
        <summary aria-label={`Edit key ${label}`}>Edit</summary>
        <Form className="settings-form" key={`${label} ${rateLimit?.count} ${rateLimit?.windowSec}`}>
          {which}
          <Field
            id={`key-label-${id}`}
            name="label"
            label="Key name"
            required
            maxLength={100}
            defaultValue={valueOf('label', label)}
            error={errorOf('label')}
          />
          <LimitFields idPrefix={`key-${id}`} limit={rateLimit} state={state} />
          <button type="submit" className="button" name="does" value="change">
            Save key
          </button>
        </Form>
      </details>
      <details className="key-fold">
        <summary aria-label={`Rotate key ${label}`}>Rotate</summary>
        <Form className="settings-form">
          {which}
          <p>The new key keeps this name and rate limit.</p>
          <div className="field">
            <label htmlFor={`key-grace-${id}`}>The old key</label>
            <select id={`key-grace-${id}`} name="graceHours" className="input" defaultValue="168">
              {GRACE.map(([hours, name]) => (
                <option key={hours} value={hours}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <button type="submit" className="button" name="does" value="rotate">
            Rotate key
          </button>
        </Form>
      </details>
      <details className="key-fold">
        <summary aria-label={`Delete key ${label}`}>Delete</summary>
        <Form className="settings-form danger">
          {which}
          <p>Events sent with this DSN will be rejected. Stored events are kept.</p>
          <button type="submit" className="button button-danger" name="does" value="delete">
            Delete key
          </button>
        </Form>
      </details>
    </div>
  )
}
