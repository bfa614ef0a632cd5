/** What goes wrong in the shop. */
class PaymentError extends Error {
  override name = 'PaymentError'
}
class CheckoutError extends Error {
  override name = 'CheckoutError'
}

function chargeCard(cents: number): never {
  throw new PaymentError(`card declined for ${cents} cents`)
}

export function placeOrder(): void {
  try {
    chargeCard(5990)
  } catch (error) {
    throw new CheckoutError('order 1001 could not be placed', { cause: error })
  }
}

/** Ends in `window.onerror`: a microtask is one of the few callbacks that the SDK does not wrap. */
export function throwUncaught(): void {
  queueMicrotask(() => {
    throw new RangeError('the newsletter has no recipients')
  })
}

/** Ends in `unhandledrejection`. */
export function rejectUnhandled(): void {
  void Promise.reject(new TypeError('the stock list could not be read'))
}
