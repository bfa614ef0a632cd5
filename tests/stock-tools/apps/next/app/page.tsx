import Link from 'next/link'
import { Checkout } from './checkout'

export default function Page() {
  return (
    <>
      <Checkout />
      <Link href="/cart">Cart</Link>
    </>
  )
}
