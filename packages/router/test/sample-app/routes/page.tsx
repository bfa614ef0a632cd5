import { Link } from '@sonde/router'

const targets = [
  '/acme',
  '/acme/shop/issues/7?tab=tags',
  '/counter',
  '/dynamic/1',
  '/static/1',
  '/slow',
  '/go/303',
  '/go/307',
  '/go/308',
  '/leave/303',
  '/leave/307',
  '/leave/308',
  '/form',
  '/fails',
  '/fails-in-browser',
  '/fails-in-shell',
  '/no/such/page/at/all',
  '/raw',
  '/long#end',
]

export default function Home() {
  return (
    <main>
      <h1>Home</h1>
      {targets.map((to) => (
        <p key={to}>
          <Link to={to} prefetch="none">
            {to}
          </Link>
        </p>
      ))}
      <p>
        <Link to="/dynamic/9" prefetch="intent">
          intent
        </Link>
      </p>
    </main>
  )
}

export function title() {
  return 'Home'
}
