import { Link as RouterLink, type LinkProps as RouterLinkProps } from 'react-router'

export type LinkProps = Omit<RouterLinkProps, 'prefetch' | 'discover' | 'to'> & {
  /** Path below the app's root, with query and fragment. */
  to: string
  /** `view` (default): when scrolled into view and on intent; `intent`: on hover, focus and touch; `none`. */
  prefetch?: 'view' | 'intent' | 'none'
}

export function Link({ prefetch: _prefetch, ...rest }: LinkProps) {
  return <RouterLink {...rest} />
}
