import '../../../../../parts/forms/settings.css'
import './detectors.css'
import { PERFORMANCE_TYPES, type PerformanceType } from '@sonde/protocol/issue-category'
import { DETECTORS, type DetectorRules, type Threshold } from '@sonde/protocol/performance-detectors'
import { Form, useActionData, usePageData } from '@sonde/router'
import { countOf } from '../../../../../format/format-count.ts'
import { useFormState } from '../../../../../parts/forms/use-form-state.ts'
import { Field, Tick } from '../../../../../ui/field.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { SubpageHead } from '../subpage-head.tsx'
import type { load, RefusedDetectors } from './page.server.ts'
import type { DetectorPreview } from './try-detectors.server.ts'

export function title(data: unknown) {
  return `Performance issues · ${(data as { project: { name: string } }).project.name} · Sonde`
}

export default function Detectors() {
  const { project, rules, mayWrite } = usePageData<typeof load>()
  const preview = useActionData<() => Promise<RefusedDetectors>>()?.preview
  return (
    <div className="page page-narrow">
      <SubpageHead project={project} what="performance issues" mayWrite={mayWrite} />
      <p>
        Detectors look for known problems in the spans of each transaction, and make issues of what they find.
        They apply to new spans; issues that exist stay.
      </p>
      <Form className="settings-form settings-form-wide" key={JSON.stringify(rules)}>
        <fieldset className="settings-fields" disabled={!mayWrite}>
          <legend className="sr-only">Performance detectors</legend>
          <ul className="detector-list">
            {PERFORMANCE_TYPES.map((type) => (
              <Detector key={type} type={type} rules={rules} preview={preview} />
            ))}
          </ul>
          {mayWrite && (
            <div className="settings-line">
              <button type="submit" className="button button-primary" name="does" value="save">
                Save detectors
              </button>
              <button type="submit" className="button" name="does" value="try">
                Preview on the last 24 hours
              </button>
            </div>
          )}
          <p role="status" className="muted">
            {preview && summaryOf(preview)}
          </p>
        </fieldset>
      </Form>
    </div>
  )
}

type DetectorProps = {
  readonly type: PerformanceType
  readonly rules: DetectorRules
  readonly preview: DetectorPreview | undefined
}

function Detector({ type, rules, preview }: DetectorProps) {
  const { isTicked } = useTyped()
  const { name, when, thresholds } = DETECTORS[type]
  return (
    <li id={type} className="detector">
      <Tick name={type} isOn={isTicked(type, rules[type]?.isOn ?? true)}>
        <strong>{name}</strong>
      </Tick>
      <p className="muted">{when}</p>
      <div className="field-pair" role="group" aria-label={name}>
        {thresholds.map((threshold) => (
          <ThresholdField
            key={threshold.key}
            type={type}
            threshold={threshold}
            stored={rules[type]?.thresholds[threshold.key] ?? threshold.value}
          />
        ))}
      </div>
      {preview && !('problem' in preview) && <PreviewLine type={type} preview={preview} />}
    </li>
  )
}

type FieldProps = {
  readonly type: PerformanceType
  readonly threshold: Threshold
  readonly stored: number
}

const UNITS = { ms: 'ms', bytes: 'KiB', count: 'at least' } as const

function ThresholdField({ type, threshold, stored }: FieldProps) {
  const { errorOf, valueOf } = useTyped()
  const { key, label, unit, value, min, max } = threshold
  const scale = unit === 'bytes' ? 1024 : 1
  const name = `${type}.${key}`
  return (
    <Field
      id={name}
      name={name}
      label={`${label} (${UNITS[unit]})`}
      type="number"
      inputMode="numeric"
      min={min / scale}
      max={max / scale}
      required
      hint={`Default: ${value / scale}`}
      defaultValue={valueOf(name, String(stored / scale))}
      error={errorOf(name)}
    />
  )
}

/** What was typed stays after a preview too. */
function useTyped() {
  return useFormState('detectors')
}

function PreviewLine({
  type,
  preview,
}: {
  readonly type: PerformanceType
  readonly preview: Exclude<DetectorPreview, { problem: string }>
}) {
  if (type === 'performance_slow_page_data' || type === 'performance_hung_navigation') {
    const { total, slow, hung } = preview.pageData
    return (
      <p className="detector-found">
        Would find {type === 'performance_slow_page_data' ? slow : hung} of {countOf(total, 'navigation')}.
      </p>
    )
  }
  const found = preview.found[type]
  return (
    <p className="detector-found">
      {found ? (
        <>
          Would find it in {found.in} of {countOf(preview.looked, 'transaction')}, for example{' '}
          <UserText text={found.example.slice(0, 120)} />
        </>
      ) : (
        <span className="muted">Would find nothing in {countOf(preview.looked, 'transaction')}.</span>
      )}
    </p>
  )
}

function summaryOf(preview: DetectorPreview): string {
  if ('problem' in preview) return `No preview: ${preview.problem}.`
  const { total, looked } = preview
  if (total === 0) return 'No transactions in the last 24 hours.'
  return looked < total
    ? `Looked at ${looked} of ${countOf(total, 'transaction')} of the last 24 hours, chosen evenly. Unsaved changes.`
    : `Looked at all ${countOf(total, 'transaction')} of the last 24 hours. Unsaved changes.`
}
