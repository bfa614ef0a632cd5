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

/** Whose pages may send. A DSN is public, so copies of a site send with it too. */
export function DomainsForm({ domains, refusals, mayWrite }: DomainsFormProps) {
  const { errorOf, valueOf } = useFormState('domains')
  return (
    <>
      <p>
        {domains.length === 0
          ? 'Pages of every domain may send with this project’s keys. '
          : 'Only pages of these domains may send; others are refused and counted. '}
        Servers and apps name no page and are always let in.
      </p>
      <RefusedNote refusals={refusals} noun="request" badge="refusing">
        {refusals.quantity === 1 ? 'was' : 'were'} refused
      </RefusedNote>
      <Form className="settings-form" key={domains.join('\n')}>
        <fieldset className="settings-fields" disabled={!mayWrite}>
          <legend className="sr-only">Allowed domains</legend>
          <input type="hidden" name="form" value="domains" />
          <LinesField
            id="allowed-domains"
            name="allowedDomains"
            label="Domains"
            hint="One per line; empty or *: all. *.shop.example is the domain and everything below it. A scheme or a port narrows it: https://shop.example, localhost:5173"
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
