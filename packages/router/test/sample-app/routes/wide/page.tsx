import { Link } from '@sonde/router'

const numbers = Array.from({ length: 9 }, (_, index) => index + 1)

export default function Wide() {
  return (
    <main>
      <h1>Nine links in view</h1>
      {numbers.map((n) => (
        <Link key={n} to={`/static/${n}`}>
          static {n}
        </Link>
      ))}
      <Link to="/dynamic/1">dynamic 1</Link>
      <Link to="/dynamic/2">dynamic 2</Link>
    </main>
  )
}
