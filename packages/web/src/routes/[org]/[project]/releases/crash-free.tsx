import type { Health } from '@sonde/queries'
import { type CrashFreeText, crashFreeText } from './health.ts'

type Props = { readonly health: Health | undefined; readonly of: 'session' | 'user' }

/** `99.98%`, `too few`, or a dash where there is nothing to be a share of. */
export function CrashFree({ health, of }: Props) {
  const text = textOf(health, of)
  if (!text) return <span className="muted">–</span>
  return (
    <span className={text.isFew ? 'muted' : 'num'} title={text.title}>
      {text.text}
    </span>
  )
}

function textOf(health: Health | undefined, of: Props['of']): CrashFreeText | undefined {
  if (!health) return undefined
  return of === 'session'
    ? crashFreeText(health.crashFreeSessions, health.sessions, of)
    : crashFreeText(health.crashFreeUsers, health.users, of)
}
