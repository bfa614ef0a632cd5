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
      <h1>{status === 405 ? 'This address takes no such request' : 'There is nothing here'}</h1>
      <p>
        The address may be mistyped, what stood here may have been removed, or your account may not see it.
      </p>
      <p>
        <a className="button" href={paths.home()}>
          All organisations
        </a>
      </p>
    </main>
  )
}
