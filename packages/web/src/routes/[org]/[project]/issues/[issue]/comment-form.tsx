import { Form, useParams } from '@sonde/router'
import { lazy, Suspense, useRef, useState } from 'react'
import type { FormState } from '../../../../../parts/forms/use-form-state.ts'
import { paths } from '../../../../../paths.ts'

/** What helps while one writes comes with the first key; until then, and without scripts, it is a plain field. */
const CommentHelp = lazy(() => import('./comment-help.tsx').catch(() => ({ default: () => null })))

type Props = {
  readonly shortId: string
  /** The one that is edited, with what was typed; undefined: a new one. */
  readonly edited?: { readonly id: number; readonly body: string }
  /** Where one is when it is written. */
  readonly back: 'issue' | 'activity'
  /** Of the page that was posted to, when it refused. */
  readonly state?: FormState
  readonly children?: React.ReactNode
}

export function CommentForm({ shortId, edited, back, state, children }: Props) {
  const { org, project } = useParams<'org' | 'project'>()
  const field = useRef<HTMLTextAreaElement>(null)
  const [isHelped, setHelped] = useState(false)
  const error = state?.errorOf('text')
  const id = edited ? `comment-text-${edited.id}` : 'comment-text'
  return (
    <Form className="comment-form" action={paths.issueActivity(org, project, shortId)}>
      <input type="hidden" name="does" value={edited ? 'edit' : 'add'} />
      <input type="hidden" name="back" value={back} />
      {edited && <input type="hidden" name="id" value={edited.id} />}
      <label htmlFor={id} className={edited ? undefined : 'sr-only'}>
        {edited ? 'Edit comment' : 'Write a comment'}
      </label>
      <textarea
        ref={field}
        id={id}
        name="text"
        className="input lines"
        rows={edited ? 8 : 3}
        maxLength={10_000}
        required
        placeholder="Comment: Markdown, @ for people, # for teams"
        defaultValue={state?.valueOf('text', edited?.body ?? '') ?? edited?.body}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onFocus={() => setHelped(true)}
      />
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {isHelped && (
        <Suspense fallback={null}>
          <CommentHelp
            field={field}
            mentions={(q) => paths.mentions(org, project, shortId, q)}
            preview={paths.commentPreview(org, project, shortId)}
          />
        </Suspense>
      )}
      <div className="comment-buttons">
        <button type="submit" className={edited ? 'button button-primary' : 'button'}>
          {edited ? 'Save' : 'Comment'}
        </button>
        {/* Without scripts the page that is posted to shows it; with them it is shown here. */}
        <button type="submit" className="button button-quiet" name="preview" value="yes">
          Preview
        </button>
        {children}
      </div>
    </Form>
  )
}
