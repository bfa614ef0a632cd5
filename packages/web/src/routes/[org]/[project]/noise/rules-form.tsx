import { NOISE_CLASSES, NOISE_NAMES, type NoiseAction, type NoiseClass } from '@sonde/protocol/noise'
import { Form } from '@sonde/router'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { Field } from '../../../../ui/field.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'

export type NoiseRules = {
  readonly actions: Readonly<Partial<Record<NoiseClass, NoiseAction>>>
  readonly fullPerDay: number
}

const CHOICES = [
  ['keep', 'Keep'],
  ['thin', 'Thin'],
  ['drop', 'Drop'],
] as const

/** What is done with each class, and from which count on an issue is thinned. */
export function RulesForm({ noise, mayWrite }: { readonly noise: NoiseRules; readonly mayWrite: boolean }) {
  const { errorOf, valueOf } = useFormState('noise')
  return (
    <Form className="settings-form" key={JSON.stringify(noise)}>
      <fieldset className="settings-fields" disabled={!mayWrite}>
        <legend className="sr-only">Noise rules</legend>
        <div className="noise-rules">
          {NOISE_CLASSES.map((name) => (
            <SelectField
              key={name}
              id={`noise-${name}`}
              name={name}
              label={NOISE_NAMES[name]}
              value={valueOf(name, noise.actions[name] ?? 'keep')}
              choices={CHOICES}
              error={errorOf(`actions.${name}`)}
            />
          ))}
        </div>
        <Field
          id="noise-full"
          name="fullPerDay"
          type="number"
          min={0}
          label="Events of an issue and day that are stored in full"
          hint="After those, 1 in 10 is stored, and 1 in 100 after ten times as many. Counts stay exact. From 100 on; 0 stores all."
          defaultValue={valueOf('fullPerDay', String(noise.fullPerDay))}
          error={errorOf('fullPerDay')}
        />
        {mayWrite && (
          <button type="submit" className="button button-primary">
            Save rules
          </button>
        )}
      </fieldset>
    </Form>
  )
}
