/** The error of the example shop, as its sources say it: thrown three calls below the button. */
import assert from 'node:assert/strict'
import type { EventDetail } from '../../compat/support/api-shapes.ts'
import { exceptions } from '../../compat/support/api-shapes.ts'
import { placeOf } from './app.ts'
import { assertFrame, framesOf } from './readable.ts'

/** Each tool says for itself where within the line a call stands: words before which its map has a mark. */
export type CallWords = { readonly thrown: string; readonly called: string; readonly pressed: string }

const EXACT: CallWords = { thrown: 'new RangeError', called: 'applyCoupon(line', pressed: 'totalOf(LINES' }

/** `folder`: where the sources stand, as names of sources say it. */
export function assertCheckoutReadable(
  event: EventDetail,
  folder = 'src',
  words: Partial<CallWords> = {},
): void {
  const { thrown: thrownAt, called, pressed } = { ...EXACT, ...words }
  const thrown = exceptions(event).at(-1)
  assert.equal(thrown?.type, 'RangeError')
  assert.equal(thrown?.value, 'no coupon is called SPRING')
  const frames = framesOf(event)
  assertFrame(frames.at(-1), {
    function: 'applyCoupon',
    file: `${folder}/coupon.ts`,
    place: placeOf('shop', 'src/coupon.ts', thrownAt),
  })
  assertFrame(frames.at(-2), {
    function: 'totalOf',
    file: `${folder}/cart.ts`,
    place: placeOf('shop', 'src/cart.ts', called),
  })
  assertFrame(frames.at(-3), {
    function: 'pay',
    file: `${folder}/checkout.tsx`,
    place: placeOf('shop', 'src/checkout.tsx', pressed),
  })
}
