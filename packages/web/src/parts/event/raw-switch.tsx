/** Stacks as they were sent, or as source maps make them: two addresses, so that it works without JavaScript. */
import type { Stacktrace } from '@sonde/protocol/event'
import { Link, useLocation, useSearchParams } from '@sonde/router'

type WithStacks = { readonly stacktrace?: Stacktrace; readonly raw_stacktrace?: Stacktrace }

export const useIsRaw = (): boolean => useSearchParams()[0].get('stack') === 'raw'

/** With the stack that the address asks for in the place of the readable one. */
export const asShown = <T extends WithStacks>(isRaw: boolean, list: readonly T[]): readonly T[] =>
  isRaw ? list.map((one) => (one.raw_stacktrace ? { ...one, stacktrace: one.raw_stacktrace } : one)) : list

/** `section`: its id, to be there again after a load. */
export function RawSwitch({ of, section }: { readonly of: readonly WithStacks[]; readonly section: string }) {
  const { pathname } = useLocation()
  const query = new URLSearchParams(useSearchParams()[0])
  const isRaw = useIsRaw()
  if (!of.some((one) => one.raw_stacktrace)) return null
  const to = (stack: string): string => {
    query.delete('stack')
    if (stack !== '') query.set('stack', stack)
    return `${pathname}?${query}#${section}`
  }
  return (
    <nav className="segmented segmented-small" aria-label="Stack">
      <Link to={to('')} aria-current={!isRaw || undefined} prefetch="none" preventScrollReset>
        Original
      </Link>
      <Link to={to('raw')} aria-current={isRaw || undefined} prefetch="none" preventScrollReset>
        Minified
      </Link>
    </nav>
  )
}
