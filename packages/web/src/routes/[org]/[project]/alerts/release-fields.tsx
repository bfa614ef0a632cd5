import { RULE_LIMITS } from '@sonde/alerts/contract'
import { Tick } from '../../../../ui/field.tsx'
import { EnvironmentField, FieldsError, type FieldsProps } from './rule-fields.tsx'

const TELLS = [
  ['worse', 'is worse than the one before it'],
  ['not_enough_data', 'cannot be judged: there is not enough data'],
  ['same', 'is as good as the one before it'],
  ['better', 'is better than the one before it'],
] as const

/** When a release is judged, and which verdicts are told. */
export function ReleaseFields({ draft, errorOf, mayWrite }: FieldsProps) {
  return (
    <>
      <fieldset disabled={!mayWrite}>
        <legend>Judge a release</legend>
        <div className="alert-sentence">
          <input
            className="input"
            type="number"
            name="afterMinutes"
            min={1}
            max={RULE_LIMITS.windowMinutes}
            aria-label="Minutes after it begins"
            defaultValue={draft.afterMinutes}
          />
          <span>minutes after its</span>
          <select className="input" name="begins" aria-label="Begins with" defaultValue={draft.begins}>
            <option value="first_event">first event</option>
            <option value="deploy">first deploy</option>
          </select>
        </div>
        <FieldsError id="after-error" text={errorOf('afterMinutes')} />
        <EnvironmentField draft={draft} errorOf={errorOf} />
        <p className="field-hint">
          With an environment only its deploys and its data count. Each release is told once. Deploys are
          recorded with sentry-cli or the API.
        </p>
        <Tick name="isEarly" isOn={draft.isEarly}>
          Tell before that as soon as it is worse. It is then looked at four times, so more releases that are
          alike are called worse by chance.
        </Tick>
      </fieldset>
      <fieldset disabled={!mayWrite} aria-describedby={errorOf('tells') && 'tells-error'}>
        <legend>Tell when the release</legend>
        {TELLS.map(([verdict, words]) => (
          <Tick key={verdict} name="tells" value={verdict} isOn={draft.tells.includes(verdict)}>
            {words}
          </Tick>
        ))}
        <FieldsError id="tells-error" text={errorOf('tells')} />
      </fieldset>
    </>
  )
}
