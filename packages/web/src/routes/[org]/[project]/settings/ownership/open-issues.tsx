import { Form } from '@sonde/router'
import { useFormState } from '../../../../../parts/forms/use-form-state.ts'
import { useRefresh } from '../../../../../shell/use-refresh.ts'
import { Ago } from '../../../../../ui/time.tsx'
import type { OwnershipData } from './codeowners-forms.tsx'

const REFRESH_MS = 2_000

/** How far the owners of open issues follow what was changed above, and one press to assign them. */
export function OpenIssues({ data: { ownership, mayWrite } }: { readonly data: OwnershipData }) {
  const { run, autoAssignment } = ownership
  const { errorOf } = useFormState('ownership-apply')
  const isRunning = run !== undefined && run.finishedMs === undefined
  useRefresh(isRunning ? REFRESH_MS : undefined)
  const refused = errorOf('autoAssignment')
  return (
    <Form className="settings-form settings-form-wide">
      <input type="hidden" name="form" value="ownership-apply" />
      <div role="status" className="ownership-tried">
        <RunText run={run} />
      </div>
      {mayWrite && autoAssignment === 'off' && (
        <p className="muted">To assign them, choose above to whom issues are assigned, and save.</p>
      )}
      {mayWrite && autoAssignment !== 'off' && (
        <button type="submit" className="button" disabled={isRunning && run.isAssigning}>
          Assign open issues
        </button>
      )}
      {refused !== undefined && <p className="field-error">{refused}</p>}
    </Form>
  )
}

const countText = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`

function RunText({ run }: { readonly run: OwnershipData['ownership']['run'] }) {
  if (!run)
    return <p>Issues that are open when you save rules or a file get their suggested owners by them.</p>
  const { total, seen, changed, assigned, isAssigning, finishedMs, trouble } = run
  if (finishedMs !== undefined)
    return (
      <p>
        {total === 0
          ? 'There were no open issues to look at.'
          : `${countText(seen, 'open issue')} checked: owners of ${changed.toLocaleString('en')} changed`}
        {total !== 0 && isAssigning && `, ${assigned.toLocaleString('en')} assigned`}
        {total !== 0 && ', '}
        <Ago atMs={finishedMs} />
      </p>
    )
  return (
    <>
      <label htmlFor="ownership-run">
        {isAssigning ? 'Assigning open issues' : 'Updating the owners of open issues'}
        {total === undefined ? '…' : `: ${seen.toLocaleString('en')} of ${total.toLocaleString('en')}`}
      </label>{' '}
      <progress id="ownership-run" value={total === undefined ? undefined : seen} max={total || 1} />
      {trouble !== '' && <p className="field-error">It goes on by itself. What stopped it: {trouble}</p>}
    </>
  )
}
