import { Form, useActionData, useParams } from '@sonde/router'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { useLiveTry } from '../../../../parts/forms/use-live-try.ts'
import { paths } from '../../../../paths.ts'
import { Tick } from '../../../../ui/field.tsx'
import { LinesField } from '../../../../ui/lines-field.tsx'
import type { Refused } from './change-project.server.ts'
import type { ShownPreview } from './change-rules.server.ts'

const UNREACHED: ShownPreview = { ok: false, message: 'The server could not be reached. Try again.' }

function useLiveScrub() {
  const { org, project } = useParams<'org' | 'project'>()
  return useLiveTry<ShownPreview>(paths.scrubPreview(org, project), UNREACHED)
}

export type ScrubSettings = {
  readonly enabled: boolean
  readonly scrubIp: boolean
  readonly maskReplayTexts: boolean
  readonly maskReplayInputs: boolean
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
          Scrub passwords, tokens, keys, card and account numbers
        </Tick>
        <Tick name="scrubIp" isOn={isTicked('scrubIp', scrub.scrubIp)}>
          Scrub users’ IP addresses
        </Tick>
        <Tick name="maskReplayTexts" isOn={isTicked('maskReplayTexts', scrub.maskReplayTexts)}>
          Mask all texts of session replays, whatever the SDK sends
        </Tick>
        <Tick name="maskReplayInputs" isOn={isTicked('maskReplayInputs', scrub.maskReplayInputs)}>
          Mask all inputs of session replays, whatever the SDK sends
        </Tick>
        <LinesField
          id="scrub-sensitive"
          name="sensitiveFields"
          label="Additional sensitive fields"
          hint="One per line. Matches any part of a name: loyalty also removes loyalty_number."
          defaultValue={valueOf('sensitiveFields', scrub.sensitiveFields.join('\n'))}
          error={errorOf('sensitiveFields')}
        />
        <LinesField
          id="scrub-safe"
          name="safeFields"
          label="Safe fields"
          hint="One full name per line. Safe fields are never scrubbed."
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
              label="Test rules on a sample event"
              hint="Paste JSON. Uses the rules above, including unsaved changes. Nothing is stored."
              rows={7}
              defaultValue={valueOf('sample', SAMPLE)}
            />
            <button type="submit" className="button" name="does" value="try">
              Test rules
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

/** What the rules would take out of the sample, and what would be left. */
function ScrubResult({ preview }: { readonly preview: ShownPreview }) {
  if (!preview.ok) return <p className="field-error">{preview.message}</p>
  const { removed, afterText } = preview
  return (
    <>
      {removed.length === 0 ? (
        <p>Nothing would be removed.</p>
      ) : (
        <>
          <p>
            {removed.length === 1
              ? '1 value would be removed:'
              : `${removed.length} values would be removed:`}
          </p>
          <ul className="scrub-removed">
            {removed.map(({ path, rule }, index) => (
              <li key={index}>
                <code>{path}</code> <span className="muted">by {rule}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <details className="key-fold">
        <summary>Show result</summary>
        <pre className="json" tabIndex={0}>
          {afterText}
        </pre>
      </details>
    </>
  )
}
