import { useState } from 'react'
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { type CartLine, euros, get, post } from '../api.ts'
import { deliveryDate } from '../delivery-date.ts'
import { WarmLink } from '../ui/warm-link.tsx'

export const loader = ({ request }: LoaderFunctionArgs) => get<CartLine[]>('/api/cart', request.signal)

export function Component() {
  const [lines, setLines] = useState<readonly CartLine[]>(useLoaderData<typeof loader>())
  const [arrives, setArrives] = useState('in three days')
  const total = lines.reduce((sum, { price, count }) => sum + price * count, 0)
  const change = (id: string, count: number): void => {
    setArrives(deliveryDate(count))
    setLines(lines.flatMap((line) => (line.id === id ? (count > 0 ? [{ ...line, count }] : []) : [line])))
    void post('/api/cart', { id, count })
  }
  if (lines.length === 0)
    return (
      <section className="narrow">
        <h1>Your cart is empty</h1>
        <p className="lead">A kettle is a good start.</p>
        <Link className="buy" to="/c/kettles">
          Kettles
        </Link>
      </section>
    )
  return (
    <section className="narrow">
      <h1>Your cart</h1>
      <ul className="lines">
        {lines.map(({ id, name, price, count }) => (
          <li key={id}>
            <span>{name}</span>
            <span className="count">
              <button aria-label={`One ${name} less`} onClick={() => change(id, count - 1)}>
                −
              </button>
              <output>{count}</output>
              <button aria-label={`One ${name} more`} onClick={() => change(id, count + 1)}>
                +
              </button>
            </span>
            <span>{euros(price * count)}</span>
          </li>
        ))}
      </ul>
      <p className="total">
        <span>Arrives {arrives}</span>
        <strong>{euros(total)}</strong>
      </p>
      <WarmLink className="buy" to="/checkout" chunk="checkout">
        Check out
      </WarmLink>
    </section>
  )
}
