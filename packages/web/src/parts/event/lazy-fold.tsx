import { type ReactNode, type ToggleEvent, useEffect, useRef, useState } from 'react'
import { useWholePage } from './whole-page.tsx'

type Props = {
  readonly className: string
  readonly summary: ReactNode
  readonly isOpen?: boolean
  /** Made at once, so that it unfolds without JavaScript too. Otherwise when it is first opened, or with the whole page. */
  readonly isEager?: boolean
  readonly children: () => ReactNode
}

/** A fold whose inside is made when somebody looks: a page with hundreds of them stays small. */
export function LazyFold({ className, summary, isOpen = false, isEager = false, children }: Props) {
  const fold = useRef<HTMLDetailsElement>(null)
  const { isWhole, href } = useWholePage()
  const [isMade, setMade] = useState(isOpen || isEager || isWhole)
  // It may have been opened before the script was there.
  useEffect(() => {
    if (fold.current?.open) setMade(true)
  }, [])
  return (
    <details
      ref={fold}
      className={className}
      open={isOpen}
      onToggle={({ newState }: ToggleEvent<HTMLDetailsElement>) => {
        if (newState === 'open') setMade(true)
      }}
    >
      <summary>{summary}</summary>
      {isMade ? (
        children()
      ) : (
        <noscript>
          <a href={href}>Expand all</a>
        </noscript>
      )}
    </details>
  )
}
