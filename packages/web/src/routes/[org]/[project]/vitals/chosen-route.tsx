import { Link, useLocation, useSearchParams } from '@sonde/router'
import { Icon } from '../../../../ui/icon.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { withChoice } from './vital-choice.ts'

/** The route that alone is looked at, with the way back to all. */
export function ChosenRoute({ route }: { readonly route: string }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <p className="vital-route">
      <Link
        className="filter-chip"
        to={pathname + withChoice(params, { route: null })}
        prefetch="none"
        aria-label={`All routes instead of ${route}`}
      >
        <span className="muted">Route</span> <UserText text={route} />
        <Icon name="close" />
      </Link>
    </p>
  )
}
