import type { IncidentNote } from '@sonde/queries'
import { Form } from '@sonde/router'
import { useFormState } from '../../../../../../parts/forms/use-form-state.ts'
import { LinesField } from '../../../../../../ui/lines-field.tsx'
import { Ago } from '../../../../../../ui/time.tsx'
import { LongText, UserText } from '../../../../../../ui/user-text.tsx'

type Props = { readonly notes: readonly IncidentNote[]; readonly mayWrite: boolean }

/** What people wrote while they looked after it, the oldest first. */
export function Notes({ notes, mayWrite }: Props) {
  const { errorOf, valueOf } = useFormState('note')
  return (
    <>
      {notes.length === 0 && <p className="muted">No notes yet.</p>}
      <ul className="incident-notes">
        {notes.map(({ id, author, text, atMs }) => (
          <li key={id}>
            <p className="muted">
              <UserText text={author} />, <Ago atMs={atMs} />
            </p>
            <LongText text={text} />
          </li>
        ))}
      </ul>
      {mayWrite && (
        <Form className="settings-form">
          <input type="hidden" name="does" value="note" />
          <LinesField
            id="note-text"
            name="text"
            label="Add a note"
            isCode={false}
            defaultValue={valueOf('text', '')}
            error={errorOf('text')}
          />
          <button type="submit" className="button">
            Add note
          </button>
        </Form>
      )}
    </>
  )
}
