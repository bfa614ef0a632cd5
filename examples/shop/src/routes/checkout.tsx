import { captureException } from '@sonde/browser'
import { type SyntheticEvent, useState } from 'react'
import { Link } from 'react-router'
import { ApiError, euros, type Order, post } from '../api.ts'

type State =
  | { readonly kind: 'form' | 'sending' }
  | { readonly kind: 'done'; readonly order: Order }
  | { readonly kind: 'failed'; readonly status: number }

export function Component() {
  const [state, setState] = useState<State>({ kind: 'form' })
  const pay = async (event: SyntheticEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setState({ kind: 'sending' })
    try {
      setState({ kind: 'done', order: await post<Order>('/api/orders', { card: form.get('card') }) })
    } catch (error) {
      captureException(error, { tags: { part: 'checkout' } })
      setState({ kind: 'failed', status: error instanceof ApiError ? error.status : 0 })
    }
  }
  if (state.kind === 'done')
    return (
      <section className="narrow">
        <h1>Thank you</h1>
        <p className="lead">
          Order {state.order.orderId} over {euros(state.order.total)} is on its way.
        </p>
        <Link className="buy" to="/account">
          Your orders
        </Link>
      </section>
    )
  return (
    <section className="narrow">
      <h1>Check out</h1>
      {state.kind === 'failed' && (
        <p className="alert" role="alert">
          {state.status === 422
            ? 'Your cart is empty.'
            : 'The payment did not go through. Nothing was charged; try another card.'}
        </p>
      )}
      <form className="form" onSubmit={(event) => void pay(event)}>
        <label>
          Name
          <input name="name" autoComplete="name" required />
        </label>
        <label>
          Card number
          <input name="card" inputMode="numeric" autoComplete="cc-number" required />
        </label>
        <label>
          Street and town
          <input name="address" autoComplete="street-address" required />
        </label>
        <button className="buy" disabled={state.kind === 'sending'}>
          {state.kind === 'sending' ? 'Paying…' : 'Pay'}
        </button>
      </form>
    </section>
  )
}
