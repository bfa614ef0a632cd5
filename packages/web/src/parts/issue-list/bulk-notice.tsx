import { Form, useActionData, useLocation } from '@sonde/router'
import { useEffect, useEffectEvent } from 'react'
import { formatExact } from '../../format/format-count.ts'
import { useToast } from '../../shell/toasts.tsx'
import { useIsInBrowser } from '../../ui/page-clock.tsx'
import type { ListAction } from './change-issues.server.ts'
import { DEEDS } from './confirm-all.tsx'
import { useBulkPost } from './use-bulk-post.ts'

type Outcome = NonNullable<ReturnType<typeof useActionData<ListAction>>>

const issues = (count: number): string => `${formatExact(count)} ${count === 1 ? 'issue' : 'issues'}`

function said(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'changed':
      return `${issues(outcome.count)} ${DEEDS[outcome.status].done}`
    case 'undone':
      return `Undone for ${issues(outcome.count)}`
    case 'confirm':
      return `${DEEDS[outcome.status].verb} all ${formatExact(outcome.count)} matching ${outcome.count === 1 ? 'issue' : 'issues'}?`
    default:
      return 'Select at least one issue.'
  }
}

/** What the last change did, with the way back: a toast, or without JavaScript a notice above the rows. */
export function BulkNotice() {
  const outcome = useActionData<ListAction>()
  const toast = useToast()
  const { send } = useBulkPost()
  const isInBrowser = useIsInBrowser()
  const visit = useLocation().key
  const tell = useEffectEvent((_visit: string, told: Outcome | undefined) => {
    if (!told) return
    const undo = told.kind === 'changed' ? told.undo : undefined
    toast({
      text: said(told),
      kind: told.kind === 'none-chosen' ? 'bad' : 'good',
      ...(undo !== undefined && { action: { name: 'Undo', run: () => void send({ undo }) } }),
    })
  })
  useEffect(() => tell(visit, outcome), [visit, outcome])
  if (!outcome || isInBrowser) return null
  return (
    <div className="bulk-notice">
      <p>{said(outcome)}</p>
      {outcome.kind === 'changed' && outcome.undo !== undefined && (
        <Form>
          <input type="hidden" name="undo" value={outcome.undo} />
          <button type="submit" className="button button-small">
            Undo
          </button>
        </Form>
      )}
      {outcome.kind === 'confirm' && (
        <Form>
          <input type="hidden" name="all" value="1" />
          <input type="hidden" name="confirmed" value="1" />
          <button type="submit" name="status" value={outcome.status} className="button button-small">
            {DEEDS[outcome.status].verb} all
          </button>
        </Form>
      )}
    </div>
  )
}
