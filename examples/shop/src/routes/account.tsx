import { setUser } from '@sonde/browser'
import { type SyntheticEvent } from 'react'
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router'
import { euros, get, type Order } from '../api.ts'
import { signIn, visitor } from '../visitor.ts'

export async function loader({ request }: LoaderFunctionArgs) {
  const known = visitor()
  return { known, orders: known ? await get<Order[]>('/api/orders', request.signal) : [] }
}

export function Component() {
  const { known, orders } = useLoaderData<typeof loader>()
  const { revalidate } = useRevalidator()
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (field: string): string => form.get(field) as string
    const { id, email, name } = signIn(text('name'), text('email'))
    setUser({ id, email, username: name })
    void revalidate()
  }
  if (!known)
    return (
      <section className="narrow">
        <h1>Who are you?</h1>
        <form className="form" onSubmit={submit}>
          <label>
            Name
            <input name="name" autoComplete="name" required />
          </label>
          <label>
            E-mail
            <input name="email" type="email" autoComplete="email" required />
          </label>
          <button className="buy">Sign in</button>
        </form>
      </section>
    )
  return (
    <section className="narrow">
      <h1>Hello, {known.name}</h1>
      <ul className="lines">
        {orders.map(({ orderId, total, at }) => (
          <li key={orderId}>
            <span>{orderId}</span>
            <span>{at}</span>
            <span>{euros(total)}</span>
          </li>
        ))}
      </ul>
      <p>
        <Link to="/account/invoices">Invoices</Link>
      </p>
    </section>
  )
}
