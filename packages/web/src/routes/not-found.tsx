import '../styles/index.css'
import { paths } from '../paths.ts'
import { Mark } from '../ui/icon.tsx'

export function title() {
  return 'Not found · Sonde'
}

/** Also for what may not be seen: whether it exists is nobody's business. */
export default function NotFound({ status }: { readonly status?: number }) {
  return (
    <main className="lone-page" id="main" tabIndex={-1}>
      <Mark />
      <h1>{status === 405 ? 'Method not allowed' : 'Page not found'}</h1>
      <p>The link may be wrong, the item may have been deleted, or you may not have access.</p>
      <p>
        <a className="button" href={paths.home()}>
          All organizations
        </a>
      </p>
    </main>
  )
}
