import '../styles/index.css'
import { paths } from '../paths.ts'
import { Mark } from '../ui/icon.tsx'

export function title() {
  return 'Not found · Sonde'
}

const TITLES: Readonly<Record<number, string>> = { 405: 'Method not allowed', 410: 'File not readable' }

/** Also for what may not be seen: whether it exists is nobody's business. */
export default function NotFound({ status }: { readonly status?: number }) {
  return (
    <main className="lone-page" id="main" tabIndex={-1}>
      <Mark />
      <h1>{TITLES[status ?? 404] ?? 'Page not found'}</h1>
      <p>
        {status === 410
          ? 'The file is missing or damaged on the server. Whoever runs this Sonde finds it named on the status page, and may have it in a backup.'
          : 'The link may be wrong, the item may have been deleted, or you may not have access.'}
      </p>
      <p>
        <a className="button" href={paths.home()}>
          All organizations
        </a>
      </p>
    </main>
  )
}
