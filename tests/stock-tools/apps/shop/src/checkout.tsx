import { useState } from 'react'
import { type CartLine, totalOf } from './cart.ts'

const LINES: CartLine[] = [
  { sku: 'tea', cents: 450, amount: 2 },
  { sku: 'cup', cents: 1200, amount: 1 },
]

export function Checkout() {
  const [total, setTotal] = useState(0)
  function pay(): void {
    setTotal(totalOf(LINES, 'SPRING'))
  }
  return (
    <button type="button" onClick={pay}>
      Pay {total}
    </button>
  )
}
