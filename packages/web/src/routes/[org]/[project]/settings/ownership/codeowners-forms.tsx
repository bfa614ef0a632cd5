import { Form } from '@sonde/router'
import { type ChangeEvent, useId } from 'react'
import { useFormState } from '../../../../../parts/forms/use-form-state.ts'
import { Field } from '../../../../../ui/field.tsx'
import { LinesField } from '../../../../../ui/lines-field.tsx'
import { useIsInBrowser } from '../../../../../ui/page-clock.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'
import { problemText } from './tried-list.tsx'

export type OwnershipData = Awaited<ReturnType<typeof load>>

type Props = { readonly data: OwnershipData }
type File = OwnershipData['files'][number]

/** The files of the project's repositories, each with where its paths begin in stack traces. */
export function CodeownersForms({ data: { files, mayWrite } }: Props) {
  return (
    <>
      {files.length === 0 && (
        <p>
          No file yet. Paste the CODEOWNERS file of GitHub, GitLab or Bitbucket: its owners get the issues
          that no ownership rule matches.
        </p>
      )}
      <ul className="key-list">
        {files.map((file) => (
          <li key={file.id}>
            <p className="key-name">
              <UserText text={file.repository} />
              <span className="muted">
                {file.ruleCount === 1 ? '1 rule' : `${file.ruleCount} rules`} · changed by{' '}
                <UserText text={file.changed.by} /> <Ago atMs={file.changed.atMs} />
              </span>
            </p>
            {file.unknown.length > 0 && (
              <p className="field-error">
                Nobody is meant by {file.unknown.slice(0, 5).join(', ')}
                {file.unknown.length > 5 && ` and ${file.unknown.length - 5} more`}. Rules with none but these
                are passed over.
              </p>
            )}
            {file.problems.length > 0 && (
              <ul className="field-error ownership-problems">
                {file.problems.slice(0, 20).map((problem) => (
                  <li key={problem.line}>{problemText(problem)}</li>
                ))}
              </ul>
            )}
            <details className="key-fold">
              <summary>{mayWrite ? 'Edit file' : 'Show file'}</summary>
              <FileForm file={file} mayWrite={mayWrite} />
            </details>
          </li>
        ))}
      </ul>
      {mayWrite && (
        <details className="key-fold" open={files.length === 0 || undefined}>
          <summary>Add a CODEOWNERS file</summary>
          <FileForm mayWrite />
        </details>
      )}
    </>
  )
}

function FileForm({ file, mayWrite }: { readonly file?: File; readonly mayWrite: boolean }) {
  const id = file === undefined ? '' : String(file.id)
  const { errorOf, valueOf } = useFormState(`codeowners-${id}`)
  const isInBrowser = useIsInBrowser()
  const uploadId = useId()
  const fill = async ({ currentTarget }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const text = currentTarget.form?.elements.namedItem('content')
    const chosen = currentTarget.files?.[0]
    if (chosen && text instanceof HTMLTextAreaElement) text.value = await chosen.text()
  }
  return (
    <Form className="settings-form settings-form-wide" key={file?.changed.atMs}>
      <fieldset className="settings-fields" disabled={!mayWrite}>
        <legend className="sr-only">
          {file ? `CODEOWNERS of ${file.repository}` : 'A new CODEOWNERS file'}
        </legend>
        <input type="hidden" name="form" value="codeowners" />
        <input type="hidden" name="id" value={id} />
        <Field
          id={`codeowners-repository-${id}`}
          name="repository"
          label="Repository"
          placeholder="acme/shop"
          defaultValue={valueOf('repository', file?.repository ?? '')}
          error={errorOf('repository')}
        />
        <div className="field-pair">
          <Field
            id={`codeowners-stack-${id}`}
            name="stackRoot"
            label="Stack trace root"
            hint="What paths in stack traces begin with"
            defaultValue={valueOf('stackRoot', file?.stackRoot ?? '')}
            error={errorOf('stackRoot')}
          />
          <Field
            id={`codeowners-source-${id}`}
            name="sourceRoot"
            label="Source code root"
            hint="What they begin with in the repository instead"
            defaultValue={valueOf('sourceRoot', file?.sourceRoot ?? '')}
            error={errorOf('sourceRoot')}
          />
        </div>
        <LinesField
          id={`codeowners-content-${id}`}
          name="content"
          label="CODEOWNERS"
          rows={8}
          defaultValue={valueOf('content', file?.content ?? '')}
          error={errorOf('content')}
        />
        {mayWrite && isInBrowser && (
          <div className="field">
            <label htmlFor={uploadId}>or choose the file</label>
            <input id={uploadId} type="file" onChange={(event) => void fill(event)} />
          </div>
        )}
        {mayWrite && (
          <div className="ownership-buttons">
            <button type="submit" className="button button-primary" name="does" value="save">
              Save file
            </button>
            {file && (
              <button type="submit" className="button button-danger" name="does" value="delete">
                Delete file
              </button>
            )}
          </div>
        )}
      </fieldset>
    </Form>
  )
}

/** Who is meant by each name: those that nobody is meant by yet come first. */
export function OwnerNames({ data: { names, unknown, unknownCount, owners, mayWrite } }: Props) {
  const listId = useId()
  const rows = [...unknown.map((name) => ({ name, owner: '' })), ...names]
  if (rows.length === 0) return <p>All owners are addresses of members.</p>
  return (
    <>
      <datalist id={listId}>
        {owners.map((owner) => (
          <option key={owner} value={owner} />
        ))}
      </datalist>
      <ul className="key-list">
        {rows.map(({ name, owner }) => (
          <li key={`${name} ${owner}`}>
            <NameForm name={name} owner={owner} listId={listId} mayWrite={mayWrite} />
          </li>
        ))}
      </ul>
      {unknownCount > unknown.length && (
        <p className="muted">
          {unknownCount - unknown.length} more names appear here as these get their owners.
        </p>
      )}
    </>
  )
}

type NameProps = {
  readonly name: string
  readonly owner: string
  readonly listId: string
  readonly mayWrite: boolean
}

function NameForm({ name, owner, listId, mayWrite }: NameProps) {
  const { errorOf, valueOf } = useFormState(`codeowners-owner-${name}`)
  return (
    <Form className="settings-line ownership-name">
      <input type="hidden" name="form" value="codeowners-owner" />
      <input type="hidden" name="name" value={name} />
      <Field
        id={`owner-of-${name}`}
        name="owner"
        label={name}
        placeholder="ada@example.com or #team"
        list={listId}
        disabled={!mayWrite}
        defaultValue={valueOf('owner', owner)}
        error={errorOf('owner')}
        autoComplete="off"
        spellCheck={false}
      />
      {mayWrite && (
        <button type="submit" className="button">
          Save
        </button>
      )}
    </Form>
  )
}
