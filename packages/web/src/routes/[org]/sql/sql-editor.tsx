import { Form } from '@sonde/router'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { paths } from '../../../paths.ts'

type Props = {
  readonly org: string
  readonly q: string
  readonly maxChars: number
  readonly isRefused: boolean
  readonly refusedAt: number | undefined
}

const LEAST_LINES = 7
const MOST_LINES = 24

/** A text area whose text is posted: nothing runs without a press. An address can fill it. */
export function SqlEditor({ org, q, maxChars, isRefused, refusedAt }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const lines = q.split('\n').length + 1
  // Where it was refused is where somebody goes on writing.
  useEffect(() => {
    if (refusedAt === undefined) return
    area.current?.focus({ preventScroll: true })
    area.current?.setSelectionRange(refusedAt, refusedAt)
  }, [refusedAt])
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <Form action={paths.sql(org)} className="sql-form">
      <textarea
        ref={area}
        className="input sql-text"
        name="q"
        aria-label="Statement"
        aria-describedby={isRefused ? 'sql-refusal' : 'sql-keys'}
        aria-invalid={isRefused || undefined}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        defaultValue={q}
        placeholder="SELECT op, count() FROM spans GROUP BY op ORDER BY count() DESC"
        rows={Math.min(MOST_LINES, Math.max(LEAST_LINES, lines))}
        maxLength={maxChars}
        required
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        dir="ltr"
        onKeyDown={press}
      />
      <div className="sql-run">
        <button type="submit" className="button button-primary">
          Run
        </button>
        <span id="sql-keys" className="muted">
          <kbd>Ctrl</kbd> or <kbd>⌘</kbd> + <kbd>Enter</kbd>. At most 10 s, 1,000 rows, one statement at a
          time.
        </span>
      </div>
    </Form>
  )
}
