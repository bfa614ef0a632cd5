const PERCENT = new Map<string, number>([['WINTER', 10]])

/** Takes a coupon off a price. */
export function applyCoupon(cents: number, code: string): number {
  const percent = PERCENT.get(code)
  if (percent === undefined) {
    throw new RangeError(`no coupon is called ${code}`)
  }
  return Math.round((cents * (100 - percent)) / 100)
}
