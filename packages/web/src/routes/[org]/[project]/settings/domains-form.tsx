import { Form } from '@sonde/router'
import { LinesField } from './lines-field.tsx'
import { RefusedNote, type Refusals } from './refused-note.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'

export type DomainsFormProps = {
  /** Empty: every domain. */
  readonly domains: readonly string[]
  readonly refusals: Refusals
  readonly mayWrite: boolean
}

/** Origins allowed to send events. A DSN is public, so copies of a site send with it too. */
export function DomainsForm({ domains, refusals, mayWrite }: DomainsFormProps) {
  const { errorOf, valueOf } = useFormState('domains')
  return (
    <>
      <p>
        {domains.length === 0
          ? 'All origins are allowed. '
          : 'Only these origins are allowed; others are rejected and counted. '}
        Server and mobile SDKs are not affected.
      </p>
      <RefusedNote refusals={refusals} noun="request" badge="rejecting">
        {refusals.quantity === 1 ? 'was' : 'were'} rejected
      </RefusedNote>
      <Form className="settings-form" key={domains.join('\n')}>
        <fieldset className="settings-fields" disabled={!mayWrite}>
          <legend className="sr-only">Allowed domains</legend>
          <input type="hidden" name="form" value="domains" />
          <LinesField
            id="allowed-domains"
            name="allowedDomains"
            label="Domains"
            hint="One per line. Leave empty or enter * to allow all. *.shop.example matches the domain and its subdomains. Add a scheme or port to be stricter: https://shop.example, localhost:5173"
            defaultValue={valueOf('allowedDomains', domains.join('\n'))}
            error={errorOf('allowedDomains')}
          />
          {mayWrite && (
            <button type="submit" className="button button-primary">
              Save domains
            </button>
          )}
        </fieldset>
      </Form>
    </>
  )
}
