import type { TrackerName } from '@sonde/queries'
import { useParams } from '@sonde/router'
import { useState } from 'react'
import type { FormState } from '../../../../../../parts/forms/use-form-state.ts'
import { paths } from '../../../../../../paths.ts'
import { useJson } from '../../../../../../shell/use-json.ts'
import { Field } from '../../../../../../ui/field.tsx'
import { UserText } from '../../../../../../ui/user-text.tsx'

/** What a tracker found; `refused`: why it did not, for people. */
export type FoundExternal = {
  readonly found: readonly { readonly key: string; readonly title: string; readonly isOpen: boolean }[]
  readonly refused: string
}

const SEARCH_AFTER_MS = 300
const MIN_SEARCH_CHARS = 2

type FindFieldProps = {
  readonly shortId: string
  readonly trackers: readonly TrackerName[]
  readonly state: FormState
}

/** Without scripts a key or an address is typed; with them also words, which find. */
export function FindField({ shortId, trackers, state }: FindFieldProps) {
  const { org, project } = useParams<'org' | 'project'>()
  const [where, setWhere] = useState(state.valueOf('where', placesOf(trackers)[0]?.value ?? ''))
  const [text, setText] = useState('')
  const q = text.trim()
  const isAsked = q.length >= MIN_SEARCH_CHARS
  const [tracker = '', ...place] = where.split('/')
  const search = useJson<FoundExternal>(
    isAsked ? paths.findExternal(org, project, shortId, { tracker, place: place.join('/'), q }) : undefined,
    SEARCH_AFTER_MS,
  )
  return (
    <>
      <WhereField id="link-where" trackers={trackers} value={where} onChange={setWhere} />
      <Field
        id="external-key"
        name="key"
        label="Key, address or words"
        autoComplete="off"
        spellCheck={false}
        required
        maxLength={500}
        defaultValue={state.valueOf('key', '')}
        error={state.errorOf('key')}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div role="status" className="found-external">
        {isAsked && <Found search={search} />}
      </div>
    </>
  )
}

function Found({ search: { state, data } }: { readonly search: ReturnType<typeof useJson<FoundExternal>> }) {
  if (state === 'failed') return <p className="field-error">The search can’t be reached. Type the key.</p>
  if (data === undefined) return <p className="muted">Searching…</p>
  if (data.refused !== '')
    return (
      <p className="field-error">
        <UserText text={data.refused} />
      </p>
    )
  if (data.found.length === 0) return <p className="muted">Nothing found.</p>
  return (
    <ul>
      {data.found.map(({ key, title, isOpen }) => (
        <li key={key}>
          <button type="submit" name="found" value={key} className="found-issue">
            <span className="muted">
              <UserText text={key} />
              {!isOpen && ' · closed'}
            </span>{' '}
            <UserText text={title} />
          </button>
        </li>
      ))}
    </ul>
  )
}

const placesOf = (trackers: readonly TrackerName[]) =>
  trackers.flatMap((tracker) =>
    tracker.places.map((place) => ({ value: `${tracker.id}/${place}`, text: `${tracker.name}: ${place}` })),
  )

type WhereFieldProps = {
  readonly id: string
  readonly trackers: readonly TrackerName[]
  readonly value: string
  readonly error?: string | undefined
  readonly onChange?: (where: string) => void
}

/** Which connection, and there which repository, project or team. */
export function WhereField({ id, trackers, value, error, onChange }: WhereFieldProps) {
  const places = placesOf(trackers)
  return (
    <div className="field">
      <label htmlFor={id}>Where</label>
      <select
        id={id}
        name="where"
        className="input"
        defaultValue={value || places[0]?.value}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      >
        {places.map((place) => (
          <option key={place.value} value={place.value}>
            {place.text}
          </option>
        ))}
      </select>
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
