import '../../../../../parts/forms/settings.css'
import '../../../../../parts/figures/status.css'
import './retention.css'
import { Form, useActionData, usePageData } from '@sonde/router'
import { countOf, formatExact } from '../../../../../format/format-count.ts'
import { bytesText } from '../../../../../parts/figures/figures-text.ts'
import { useFormState } from '../../../../../parts/forms/use-form-state.ts'
import { Section, TableFrame } from '../../../../../ui/section.tsx'
import { Ago, ExactTime } from '../../../../../ui/time.tsx'
import { SubpageHead } from '../subpage-head.tsx'
import type { load, TriedRetention } from './page.server.ts'

export const title = (): string => 'Data retention · Sonde'

type Data = ReturnType<typeof usePageData<typeof load>>

export default function Retention() {
  const data = usePageData<typeof load>()
  const answer = useActionData<() => Promise<TriedRetention>>()
  const { project, mayWrite, installationDays, measuredMs } = data
  return (
    <div className="page">
      <SubpageHead project={project} what="data retention" mayWrite={mayWrite} />
      <Section id="rules" title="Rules" note="Whole days (UTC) go, the oldest first, never today's.">
        <p>
          The installation keeps data for <strong>{installationDays} days</strong>
          {' (SONDE_RETENTION_DAYS). '}A rule shortens that for one kind of data of this project; it cannot
          lengthen it. An empty field is no rule. Counts of issues stay when their events go.{' '}
          {measuredMs === undefined ? (
            'What is stored was not measured yet; it is within the hour.'
          ) : (
            <>
              Measured <Ago atMs={measuredMs} />; sizes of tables are estimated by their rows.
            </>
          )}
        </p>
        <RulesForm data={data} />
      </Section>
      <Section
        id="preview"
        title="What goes"
        note={answer?.preview ? 'By the rules above, not saved yet.' : 'By the saved rules.'}
      >
        <Preview of={answer?.preview ?? data} />
      </Section>
    </div>
  )
}

const MB = 1_000_000
const text = (value: number | null): string => (value === null ? '' : String(value))

function RulesForm({ data }: { readonly data: Data }) {
  const { kinds, mayWrite } = data
  const { errorOf, valueOf } = useFormState('retention')
  return (
    <Form className="settings-form retention-form" key={JSON.stringify(kinds.map(ruleOf))}>
      <fieldset className="settings-fields" disabled={!mayWrite}>
        <legend className="sr-only">Retention by kind of data</legend>
        <TableFrame label="Retention by kind of data">
          <table className="status-table">
            <thead>
              <tr>
                <th scope="col">Kind</th>
                <th scope="col">Keep for days</th>
                <th scope="col">At most MB</th>
                <th scope="col">Oldest</th>
                <th scope="col" className="num col-end">
                  Items
                </th>
                <th scope="col" className="num col-end">
                  Size
                </th>
              </tr>
            </thead>
            <tbody>
              {kinds.map(({ kind, name, holds, keepDays, maxBytes, rows, bytes, oldestMs }) => (
                <tr key={kind}>
                  <th scope="row">
                    {name} <span className="muted retention-holds">{holds}</span>
                  </th>
                  <td>
                    <Cell
                      name={`${kind}.days`}
                      label={`${name}: keep for days`}
                      value={valueOf(`${kind}.days`, text(keepDays))}
                      error={errorOf(`rules.${kind}.keepDays`)}
                    />
                  </td>
                  <td>
                    <Cell
                      name={`${kind}.megabytes`}
                      label={`${name}: at most MB`}
                      value={valueOf(`${kind}.megabytes`, text(maxBytes === null ? null : maxBytes / MB))}
                      error={errorOf(`rules.${kind}.maxBytes`)}
                    />
                  </td>
                  <td className="retention-day">
                    {oldestMs === undefined ? <span className="muted">none</span> : dayText(oldestMs)}
                  </td>
                  <td className="num col-end">{formatExact(rows)}</td>
                  <td className="num col-end" title={`${formatExact(bytes)} bytes`}>
                    {bytesText(bytes)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
        {mayWrite && (
          <div className="settings-line">
            <button type="submit" name="does" value="preview" className="button">
              Preview
            </button>
            <button type="submit" name="does" value="save" className="button button-primary">
              Save retention
            </button>
          </div>
        )}
      </fieldset>
    </Form>
  )
}

const ruleOf = ({ keepDays, maxBytes }: Data['kinds'][number]) => [keepDays, maxBytes]
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

type CellProps = {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly error: string | undefined
}

function Cell({ name, label, value, error }: CellProps) {
  const id = `retention-${name.replace('.', '-')}`
  return (
    <>
      <input
        id={id}
        name={name}
        className="input retention-input"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        defaultValue={value}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      />
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  )
}

type PreviewProps = { readonly of: Pick<Data, 'kinds' | 'rows' | 'bytes' | 'sweepMs'> }

function Preview({ of: { kinds, bytes, sweepMs } }: PreviewProps) {
  const going = kinds.flatMap(({ goes, ...kind }) => (goes ? [{ ...kind, goes }] : []))
  if (going.length === 0) return <p className="muted">Nothing goes with the next sweep.</p>
  return (
    <>
      <p role="status">
        The next sweep frees about <strong>{bytesText(bytes)}</strong>, at <ExactTime atMs={sweepMs} /> or
        some minutes later. Deleted data cannot be brought back.
      </p>
      <TableFrame label="What goes with the next sweep">
        <table className="status-table">
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Received before</th>
              <th scope="col" className="num col-end">
                Items
              </th>
              <th scope="col" className="num col-end">
                Frees
              </th>
            </tr>
          </thead>
          <tbody>
            {going.map(({ kind, name, goes }) => (
              <tr key={kind}>
                <th scope="row">{name}</th>
                <td>{dayText(goes.beforeMs)}</td>
                <td className="num col-end" title={countOf(goes.rows, 'item')}>
                  {formatExact(goes.rows)}
                </td>
                <td className="num col-end" title={`${formatExact(goes.bytes)} bytes`}>
                  {bytesText(goes.bytes)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </>
  )
}
