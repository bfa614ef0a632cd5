/** The error of the example shop, as its sources say it: thrown three calls below the button. */
import assert from 'node:assert/strict'
import type { EventDetail } from '../../compat/support/api-shapes.ts'
import { exceptions } from '../../compat/support/api-shapes.ts'
import { type AppName, placeOf } from './app.ts'
import { assertFrame, framesOf } from './readable.ts'

/** Each tool says for itself where within the line a call stands: words before which its map has a mark. */
export type CallWords = { readonly thrown: string; readonly called: string; readonly pressed: string }

const EXACT: CallWords = { thrown: 'new RangeError', called: 'applyCoupon(line', pressed: 'totalOf(LINES' }

export type CheckoutOptions = {
  /** Whose copy of the sources was built. */
  readonly app?: Exclude<AppName, 'server' | 'spa'>
  /** Their folder, as names of sources say it. */
  readonly folder?: string
  readonly words?: Partial<CallWords>
}

export function assertCheckoutReadable(
  event: EventDetail,
  { app = 'shop', folder = 'src', words = {} }: CheckoutOptions = {},
): void {
  const at = { ...EXACT, ...words }
  const thrown = exceptions(event).at(-1)
  assert.equal(thrown?.type, 'RangeError')
  assert.equal(thrown?.value, 'no coupon is called SPRING')
  const frames = framesOf(event)
  const calls = [
    ['applyCoupon', 'coupon.ts', at.thrown],
    ['totalOf', 'cart.ts', at.called],
    ['pay', 'checkout.tsx', at.pressed],
  ] as const
  for (const [index, [name, file, text]] of calls.entries())
    assertFrame(frames.at(-1 - index), {
      function: name,
      file: `${folder}/${file}`,
      place: placeOf(app, `${app === 'shop' ? 'src' : 'app'}/${file}`, text),
    })
}
