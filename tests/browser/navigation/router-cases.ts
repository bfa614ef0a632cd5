/** What the adapter of every router tells of a page whose links, gates and headings are named as these cases name them. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Driven } from './drive.ts'

/** `/orders/7` asks `/api/gate/order`, `/hung` `/api/gate/hung`, `/broken` `/api/broken`; `/guarded` is blocked, `/gone` has no code. */
export function testRouter(router: string, open: () => Promise<Driven>): void {
  it('records navigations with templates, phases and the way back', async () => {
    await using app = await open()
    await app.click('/orders/7')
    await app.shows('order')
    const { facts } = await app.ended('/orders/7', 'committed')
    assert.deepEqual(
      [facts.from_route, facts.to_route, facts.trigger, facts.router, facts.requests],
      ['/', '/orders/[id]', 'click', router, 1],
    )
    assert.ok(facts['phase.data'] >= 0 && facts.visible_after >= facts['phase.data'], JSON.stringify(facts))
    await app.page.goBack()
    await app.shows('home')
    const back = await app.ended('/', 'committed')
    assert.equal(back.facts.trigger, 'back')
  })

  it('tells what hangs, is replaced, is blocked and fails', async () => {
    await using app = await open()
    app.site.close('hung')
    app.site.fail('/api/broken', [500])
    await app.click('/hung')
    await app.ended('/hung', 'pending')
    await app.click('/orders/7')
    await app.shows('order')
    await app.ended('/orders/7', 'committed')
    app.site.open('hung')
    await app.click('/guarded')
    await app.click('/broken')
    await app.ended('/broken', 'errored')
    await app.click('/gone')
    await app.ended('/gone', 'errored')
    assert.deepEqual(app.told(), [
      '/hung pending',
      '/hung superseded',
      '/orders/7 committed',
      '/guarded aborted blocked',
      '/broken errored TypeError',
      '/gone errored chunk',
    ])
    const [error] = await app.site.waitForItems('event')
    assert.equal(error?.payload.exception.values[0].mechanism.type, router)
  })
}
