import { applyCoupon } from './coupon'

export type CartLine = { readonly sku: string; readonly cents: number; readonly amount: number }

export function totalOf(lines: readonly CartLine[], code: string): number {
  let cents = 0
  for (const line of lines) {
    cents += applyCoupon(line.cents * line.amount, code)
  }
  return cents
}
