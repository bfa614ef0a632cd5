import { Link } from '@sonde/router'

const lines = Array.from({ length: 200 }, (_, index) => index)

export default function Long() {
  return (
    <main>
      <h1>Long page</h1>
      {lines.map((line) => (
        <p key={line}>line {line}</p>
      ))}
      <h2 id="end">The end</h2>
      <Link to="/acme" prefetch="none">
        away
      </Link>
    </main>
  )
}
