import { Form, useActionData, useLocation, usePost } from '@sonde/router'
import { useEffect, useEffectEvent } from 'react'
import { useToast } from '../../../../../shell/toasts.tsx'
import { useIsInBrowser } from '../../../../../ui/page-clock.tsx'
import type { IssueAction } from './change-issue.server.ts'
import type { ShownStatus } from '../../../../../parts/issue/shown-status.ts'

type Outcome = NonNullable<ReturnType<typeof useActionData<IssueAction>>>

const DONE: Readonly<Record<ShownStatus, string>> = {
  resolved: 'Resolved. It will reopen if it happens again.',
  ignored: 'Ignored. Hidden from the issue list.',
  unresolved: 'Reopened.',
}

function said(outcome: Outcome): string | undefined {
  // A refusal stands beside the field.
  if (outcome.kind === 'refused' || (outcome.kind === 'changed' && outcome.count === 0)) return undefined
  if (outcome.kind === 'changed') return DONE[outcome.status]
  return outcome.count > 0 ? 'Taken back.' : 'Not taken back: it has been changed again since.'
}

/** What the last change did, with the way back: a toast, or without JavaScript a notice below the buttons. */
export function IssueNotice({ shortId }: { readonly shortId: string }) {
  const outcome = useActionData<IssueAction>()
  const toast = useToast()
  const post = usePost()
  const isInBrowser = useIsInBrowser()
  const { key: visit, pathname, search } = useLocation()
  const text = outcome && said(outcome)
  const undo = outcome?.kind === 'changed' ? outcome.undo : undefined
  const tell = useEffectEvent((_visit: string, _told: Outcome | undefined) => {
    if (text === undefined) return
    toast({
      text: `${shortId}: ${text}`,
      kind: 'good',
      ...(undo !== undefined && {
        action: { name: 'Undo', run: () => void post(pathname + search, { undo }) },
      }),
    })
  })
  useEffect(() => tell(visit, outcome), [visit, outcome])
  if (text === undefined || isInBrowser) return null
  return (
    <div className="bulk-notice">
      <p>{text}</p>
      {undo !== undefined && (
        <Form>
          <input type="hidden" name="undo" value={undo} />
          <button type="submit" className="button button-small">
            Undo
          </button>
        </Form>
      )}
    </div>
  )
}
