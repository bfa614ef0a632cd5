import { Link } from '@sonde/router'

export default function Fails() {
  return <h1>This is never seen</h1>
}

export function ErrorBoundary() {
  return (
    <p id="more">
      <Link to="/acme">Go elsewhere</Link>
    </p>
  )
}
