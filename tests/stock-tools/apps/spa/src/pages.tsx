import * as Sentry from '@sentry/react'
import { useEffect } from 'react'
import {
  Link,
  type LoaderFunctionArgs,
  Outlet,
  useLoaderData,
  useRevalidator,
  useRouteError,
} from 'react-router'

declare const SHOP: { dsn: string; release: string | undefined }

export const Shell = () => (
  <>
    <nav>
      <Link to="/">Home</Link> <Link to="/cart">Cart</Link> <Link to="/orders/7">Order 7</Link>{' '}
      <Link to="/orders/8">Order 8</Link>
    </nav>
    <Outlet />
  </>
)

export const Home = () => <h1>Tea and cups</h1>

export const Cart = () => (
  <>
    <h1>Cart</h1>
    <button type="button" onClick={pay}>
      Pay
    </button>
  </>
)

/** The second release lost the price of delivery. */
function pay(): void {
  const prices = SHOP.release?.endsWith('2.0.0') ? undefined : { delivery: 450 }
  document.title = `Pay ${prices!.delivery}`
}

export async function loadOrder({ params }: LoaderFunctionArgs): Promise<{ id: string }> {
  const answer = await fetch(`/api/orders/${params['orderId']}`)
  if (!answer.ok) throw new Error(`order ${params['orderId']} answered ${answer.status}`)
  return (await answer.json()) as { id: string }
}

export function Order() {
  const { id } = useLoaderData<typeof loadOrder>()
  return <h1>Order {id}</h1>
}

export function Broken() {
  const error = useRouteError()
  const { revalidate } = useRevalidator()
  useEffect(() => void Sentry.captureException(error), [error])
  return (
    <>
      <h1>That did not work</h1>
      <button type="button" onClick={() => void revalidate()}>
        Try again
      </button>
    </>
  )
}
