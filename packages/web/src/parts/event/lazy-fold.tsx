/**
 * A page without what it leaves out at first: with JavaScript it comes when it is asked for, without it the same page
 * is loaded again with all of it (`?whole=1`).
 */
import { useLocation, useSearchParams } from '@sonde/router'
import { type ReactNode, type ToggleEvent, useEffect, useRef, useState } from 'react'
import { useIsInBrowser } from '../../ui/page-clock.tsx'

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

/** Whether the address asks for everything, and the address that does. */
export function useWholePage(): { readonly isWhole: boolean; readonly href: string } {
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const query = new URLSearchParams(params)
  query.set('whole', '1')
  return { isWhole: params.get('whole') === '1', href: `${pathname}?${query}` }
}

type ShowMoreProps = {
  readonly text: string
  /** Id of the section in which one is, to be there again after a load. */
  readonly section: string
  readonly onShow: () => void
}

export function ShowMore({ text, section, onShow }: ShowMoreProps) {
  const { href } = useWholePage()
  if (useIsInBrowser()) {
    return (
      <button type="button" className="button button-small" onClick={onShow}>
        {text}
      </button>
    )
  }
  return (
    <a className="button button-small" href={`${href}#${section}`}>
      {text}
    </a>
  )
}
