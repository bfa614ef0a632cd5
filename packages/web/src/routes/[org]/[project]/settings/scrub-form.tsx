import { Form, useActionData } from '@sonde/router'
import type { Refused } from './change-project.server.ts'
import { LinesField } from './lines-field.tsx'
import { ScrubResult } from './scrub-result.tsx'
import { Tick } from '../../../../parts/forms/tick.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { useLiveScrub } from './use-live-scrub.ts'

export type ScrubSettings = {
  readonly enabled: boolean
  readonly scrubIp: boolean
  readonly sensitiveFields: readonly string[]
  readonly safeFields: readonly string[]
}

export type ScrubFormProps = { readonly scrub: ScrubSettings; readonly mayWrite: boolean }

const SAMPLE = `{
  "user": { "email": "ada@example.com", "ip_address": "203.0.113.7" },
  "request": { "headers": { "Authorization": "Bearer abc" } },
  "extra": { "password": "hunter2", "loyalty_number": "L-1234" }
}`

/** What is removed before anything is stored, with a tester that tries the rules as they stand in the form. */
export function ScrubForm({ scrub, mayWrite }: ScrubFormProps) {
  const { errorOf, isTicked, valueOf } = useFormState('scrubbing')
  const posted = useActionData<() => Promise<Refused>>()?.preview
  const live = useLiveScrub()
  const shown = live.preview ?? posted
  return (
    <Form
      className="settings-form"
      key={JSON.stringify(scrub)}
      onInput={live.tryForm}
      onSubmit={live.onSubmit}
    >
      <fieldset className="settings-fields" disabled={!mayWrite}>
        <legend className="sr-only">Scrubbing rules</legend>
        <input type="hidden" name="form" value="scrubbing" />
        <Tick name="enabled" isOn={isTicked('enabled', scrub.enabled)}>
          Remove passwords, tokens, keys, card and account numbers
        </Tick>
        <Tick name="scrubIp" isOn={isTicked('scrubIp', scrub.scrubIp)}>
          Remove IP addresses of users
        </Tick>
        <LinesField
          id="scrub-sensitive"
          name="sensitiveFields"
          label="Remove these fields too"
          hint="One per line, any part of a name: loyalty also removes loyalty_number."
          defaultValue={valueOf('sensitiveFields', scrub.sensitiveFields.join('\n'))}
          error={errorOf('sensitiveFields')}
        />
        <LinesField
          id="scrub-safe"
          name="safeFields"
          label="Never remove these fields"
          hint="One whole name per line: they stay although a rule would remove them."
          defaultValue={valueOf('safeFields', scrub.safeFields.join('\n'))}
          error={errorOf('safeFields')}
        />
        {mayWrite && (
          <>
            <button type="submit" className="button button-primary" name="does" value="save">
              Save scrubbing rules
            </button>
            <LinesField
              id="scrub-sample"
              name="sample"
              label="Try the rules on an event"
              hint="Paste JSON. Nothing of it is stored; the rules are tried as they stand above, saved or not."
              rows={7}
              defaultValue={valueOf('sample', SAMPLE)}
            />
            <button type="submit" className="button" name="does" value="try">
              Try the rules
            </button>
            <div role="status" className="scrub-result">
              {shown && <ScrubResult preview={shown} />}
            </div>
          </>
        )}
      </fieldset>
    </Form>
  )
}
