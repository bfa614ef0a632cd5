import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { useTimeText } from '../../ui/page-clock.tsx'
import { Ago } from '../../ui/time.tsx'

export type TokenTimesProps = {
  readonly createdMs: number
  readonly lastUsedMs?: number | undefined
  readonly lastUsedAddress?: string | undefined
  readonly expiresMs?: number | undefined
  /** Behind "made …": by whom. */
  readonly children?: ReactNode
}

/** Made, last used, until when: what tells a token that is needed from one that is not. */
export function TokenTimes({ createdMs, lastUsedMs, lastUsedAddress, expiresMs, children }: TokenTimesProps) {
  return (
    <>
      created <Ago atMs={createdMs} />
      {children} ·{' '}
      {lastUsedMs === undefined ? (
        'never used'
      ) : (
        <>
          last used <Ago atMs={lastUsedMs} />
          {lastUsedAddress !== undefined && (
            <>
              {' '}
              from <bdi>{lastUsedAddress}</bdi>
            </>
          )}
        </>
      )}{' '}
      · <Expiry expiresMs={expiresMs} />
    </>
  )
}

function Expiry({ expiresMs }: { readonly expiresMs: number | undefined }) {
  const isOver = useTimeText((nowMs) => (nowMs >= (expiresMs ?? Infinity) ? 'over' : '')) === 'over'
  if (expiresMs === undefined) return <>does not expire</>
  const iso = new Date(expiresMs).toISOString()
  const day = <time dateTime={iso}>{iso.slice(0, 10)}</time>
  return isOver ? <Badge tone="bad">expired {day}</Badge> : <>expires {day}</>
}
