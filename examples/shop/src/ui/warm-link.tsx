/** A link that fetches its page's code and data as soon as somebody points at it. */
import { Link, type LinkProps } from 'react-router'
import { fetchAhead } from '../api.ts'
import { chunks } from '../router.tsx'

type Props = LinkProps & { readonly chunk: keyof typeof chunks; readonly data?: string }

export function WarmLink({ chunk, data, ...props }: Props) {
  const warm = (): void => {
    // A chunk that is missing is reported when it is really needed.
    chunks[chunk]().catch(() => undefined)
    if (data) fetchAhead(data)
  }
  return <Link {...props} onPointerEnter={warm} onFocus={warm} />
}
