/** A link that fetches its page's code and data as soon as somebody points at it, and tells the reporter that it does. */
import { reactRouterPrefetch } from '@sonde/react/react-router'
import { Link, type LinkProps } from 'react-router'
import { AHEAD_FOR_MS, fetchAhead } from '../api.ts'
import { chunks } from '../router.tsx'

type Props = LinkProps & { readonly to: string; readonly chunk: keyof typeof chunks; readonly data?: string }

export function WarmLink({ chunk, data, ...props }: Props) {
  const warm = async (): Promise<void> => {
    const ended = reactRouterPrefetch(props.to)
    // A chunk that is missing is reported when it is really needed.
    const code = chunks[chunk]().catch(() => undefined)
    await Promise.all([code, data ? fetchAhead(data) : undefined])
    ended(data ? AHEAD_FOR_MS : undefined)
  }
  return <Link {...props} onPointerEnter={() => void warm()} onFocus={() => void warm()} />
}
