/** What a page becomes that could not be loaded or shown. The header stays, so that people get on. */
import { isRouteErrorResponse, Link, useLocation, useRouteError } from 'react-router'
import { ApiError } from '../api.ts'

export function Failed() {
  const error = useRouteError()
  const { pathname } = useLocation()
  const { title, text } = wordsFor(error)
  return (
    <section className="narrow" role="alert">
      <h1>{title}</h1>
      <p className="lead">{text}</p>
      <p className="actions">
        {/* A full load, on purpose: it brings the code of the present release. */}
        <a className="buy" href={pathname}>
          Load again
        </a>{' '}
        <Link to="/">To the shop</Link>
      </p>
    </section>
  )
}

function wordsFor(error: unknown): { title: string; text: string } {
  if ((isRouteErrorResponse(error) || error instanceof ApiError) && error.status === 404)
    return { title: 'Not on our shelves', text: 'It may have been sold out, or moved.' }
  if (error instanceof TypeError && /import|module/i.test(error.message))
    return {
      title: 'The shop was updated',
      text: 'This page belongs to the new version. Load it again to go on.',
    }
  return { title: 'Something broke', text: 'We have been told, and are looking at it.' }
}
