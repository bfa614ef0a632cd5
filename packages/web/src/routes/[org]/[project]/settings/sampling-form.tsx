import { Form, useActionData, useParams } from '@sonde/router'
import { type KeyboardEvent, type SubmitEvent, useRef } from 'react'
import { submitterOf, useLiveTry } from '../../../../parts/forms/use-live-try.ts'
import { paths } from '../../../../paths.ts'
import { Count } from '../../../../ui/count.tsx'
import { Field, Tick } from '../../../../ui/field.tsx'
import type { Refused } from './change-project.server.ts'
import {
  previewWords,
  RULE_FIELDS,
  type RuleDraft,
  type RuleField,
  ruleWords,
  type ShownSamplingPreview,
} from './sampling-text.ts'
import { type InitialRow, type RuleRow, useRuleRows } from './use-rule-rows.ts'

const FIELDS: readonly { readonly name: RuleField; readonly label: string; readonly example: string }[] = [
  { name: 'route', label: 'Route', example: '/health*' },
  { name: 'op', label: 'Op', example: 'http.server' },
  { name: 'release', label: 'Release', example: 'shop@1.*' },
  { name: 'environment', label: 'Environment', example: 'staging' },
]

type SamplingRowProps = {
  readonly row: RuleRow
  readonly at: number
  readonly count: number
  readonly words: string
  readonly onType: (field: RuleField, text: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** One rule: what it matches, how much it keeps, and both in a sentence. */
function SamplingRow({ row, at, count, words, onType, onKeyDown }: SamplingRowProps) {
  const { draft, errors, leftOut, key } = row
  return (
    <li onKeyDown={onKeyDown}>
      <fieldset className="sampling-rule">
        <legend className="sr-only">Rule {at + 1}</legend>
        {FIELDS.map(({ name, label, example }) => (
          <Field
            key={name}
            id={`sampling-${name}-${key}`}
            name={name}
            label={label}
            placeholder={at === 0 ? example : ''}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={200}
            value={draft[name]}
            onChange={(event) => onType(name, event.currentTarget.value)}
            error={errors[name]}
          />
        ))}
        <Field
          id={`sampling-percent-${key}`}
          name="percent"
          label="Sample rate (%)"
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          value={draft.percent}
          onChange={(event) => onType('percent', event.currentTarget.value)}
          error={errors.percent}
        />
        <div className="sampling-buttons">
          <RowButton does="up" at={at} isDone={at === 0} text="↑" what={`Move rule ${at + 1} up`} />
          <RowButton
            does="down"
            at={at}
            isDone={at === count - 1}
            text="↓"
            what={`Move rule ${at + 1} down`}
          />
          <RowButton does="remove" at={at} text="Remove" what={`Remove rule ${at + 1}`} />
        </div>
        <p className="sampling-words">
          {words}
          {leftOut > 0 && (
            <span className="muted">
              {' '}
              Dropped <Count value={leftOut} noun="span" /> in the last 24 hours.
            </span>
          )}
        </p>
      </fieldset>
    </li>
  )
}

type RowButtonProps = {
  readonly does: 'up' | 'down' | 'remove'
  readonly at: number
  readonly text: string
  readonly what: string
  /** There is no further to go. It stays in the way of the keyboard, so that the focus is not lost at the end. */
  readonly isDone?: boolean
}

function RowButton({ does, at, text, what, isDone = false }: RowButtonProps) {
  return (
    <button
      type="submit"
      name="does"
      value={`${does}:${at}`}
      className="button button-small"
      aria-label={what}
      title={what}
      aria-disabled={isDone || undefined}
    >
      {text}
    </button>
  )
}

export type StoredSampling = {
  readonly rules: readonly { readonly draft: RuleDraft; readonly leftOut: number }[]
  readonly sampleMeasured: boolean
}
export type SamplingFormProps = { readonly sampling: StoredSampling; readonly mayWrite: boolean }

/** Choose which traces are stored. Errors are never touched. */
export function SamplingForm({ sampling, mayWrite }: SamplingFormProps) {
  const answer = useActionData<() => Promise<Refused>>()
  const own = answer?.form === 'sampling' ? answer : undefined
  const rows = own?.sampling
    ? own.sampling.rules.map((draft, at) => ({ draft, errors: errorsOf(own.fields, at), leftOut: 0 }))
    : sampling.rules.map((rule) => ({ ...rule, errors: {} }))
  const sampleMeasured = own?.sampling?.sampleMeasured ?? sampling.sampleMeasured
  return (
    <>
      <p>
        The first matching rule wins; unmatched traces are kept. Traces are sampled as a whole and counts are
        extrapolated (shown with ≈). Errors are never sampled.
      </p>
      <RulesForm
        key={JSON.stringify([rows, sampleMeasured])}
        initial={rows}
        sampleMeasured={sampleMeasured}
        error={own?.fields['rules']?.join('; ')}
        preview={own?.sampling?.preview}
        isUnsaved={own?.sampling !== undefined}
        mayWrite={mayWrite}
      />
    </>
  )
}

type RulesFormProps = {
  readonly initial: readonly InitialRow[]
  readonly sampleMeasured: boolean
  readonly error: string | undefined
  readonly preview: ShownSamplingPreview | undefined
  readonly isUnsaved: boolean
  readonly mayWrite: boolean
}

function RulesForm({ initial, sampleMeasured, error, preview, isUnsaved, mayWrite }: RulesFormProps) {
  const { org, project } = useParams<'org' | 'project'>()
  const { rows, said, change, type, onKeyDown } = useRuleRows(initial)
  const live = useLiveTry<ShownSamplingPreview | 'unreached'>(
    paths.samplingPreview(org, project),
    'unreached',
  )
  const place = useRef<HTMLOListElement>(null)
  const shown = live.preview ?? preview
  const drafts = rows.map(({ draft }) => draft)

  const changeRows = (does: string): void => {
    change(does)
    const form = place.current?.closest('form')
    // With the next rows in the page: what is tried is what stands there then.
    if (form) live.tryLater(form)
  }
  const onSubmit = (event: SubmitEvent<HTMLFormElement>): void => {
    const does = submitterOf(event)?.value ?? 'save'
    if (does === 'save') return
    if (does === 'try') return live.onSubmit(event)
    event.preventDefault()
    changeRows(does)
  }

  return (
    <Form className="settings-form settings-form-wide" onInput={live.tryForm} onSubmit={onSubmit}>
      <fieldset className="settings-fields" disabled={!mayWrite}>
        <legend className="sr-only">Sampling rules</legend>
        <input type="hidden" name="form" value="sampling" />
        {/* Enter in a field presses the first button of a form: it must not move a rule. */}
        <button type="submit" name="does" value="save" className="sr-only" tabIndex={-1} aria-hidden="true">
          Save
        </button>
        {rows.length === 0 && <p className="muted">No rules. Every trace is stored.</p>}
        <ol className="sampling-rules" ref={place}>
          {rows.map((row, at) => (
            <SamplingRow
              key={row.key}
              row={row}
              at={at}
              count={rows.length}
              words={ruleWords(drafts, at)}
              onType={(field, text) => type(row.key, field, text)}
              onKeyDown={(event) => onKeyDown(event, at)}
            />
          ))}
        </ol>
        {error !== undefined && <p className="field-error">{error}</p>}
        <Tick name="sampleMeasured" isOn={sampleMeasured}>
          Also sample web vitals and navigations. Low volume: kept in full unless enabled.
        </Tick>
        {mayWrite && (
          <div className="settings-line">
            <button type="submit" name="does" value="add" className="button">
              Add rule
            </button>
            <button type="submit" name="does" value="try" className="button">
              Preview
            </button>
            <button type="submit" name="does" value="save" className="button button-primary">
              Save sampling rules
            </button>
          </div>
        )}
        <p role="status" className="sampling-preview">
          {shown === 'unreached'
            ? 'Preview failed: the server could not be reached.'
            : shown && previewWords(shown)}
          {isUnsaved && <span className="muted"> Unsaved changes.</span>}
        </p>
        <p role="status" className="sr-only">
          {said}
        </p>
      </fieldset>
    </Form>
  )
}

const errorsOf = (fields: Refused['fields'], at: number): InitialRow['errors'] =>
  Object.fromEntries(
    RULE_FIELDS.flatMap((field: RuleField) => {
      // The form has percent where the command has a share.
      const reported = fields[`rules.${at}.${field === 'percent' ? 'rate' : field}`]
      return reported === undefined ? [] : [[field, reported.join('; ')]]
    }),
  )
