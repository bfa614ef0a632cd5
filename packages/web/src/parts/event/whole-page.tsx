/**
 * A page without what it leaves out at first: with JavaScript it comes when it is asked for, without it the same page
 * is loaded again with all of it (`?whole=1`).
 */
import { useLocation, useSearchParams } from '@sonde/router'
import { useIsInBrowser } from '../../ui/page-clock.tsx'

/** Whether the address asks for everything, and the address that does. */
export function useWholePage(): { readonly isWhole: boolean; readonly href: string } {
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const query = new URLSearchParams(params)
  query.set('whole', '1')
  return { isWhole: params.get('whole') === '1', href: `${pathname}?${query}` }
}

type Props = {
  readonly text: string
  /** Id of the section in which one is, to be there again after a load. */
  readonly section: string
  readonly onShow: () => void
}

export function ShowMore({ text, section, onShow }: Props) {
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
