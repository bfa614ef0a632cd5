/** T6: what a vital measures is told with the component of the app that it comes from. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../e2e/chromium.ts'
import { openPage } from '../harness/open-page.ts'
import { transactionsOf } from '../tracing/traced-page.ts'
import { measured, PAGE, startVitalsSite, vitalSpans, waitForVital } from './vitals-page.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

const told = (name: string, { attributes }: { attributes: Record<string, unknown> }) => [
  attributes[`browser.web_vital.${name}.component`],
  attributes[`browser.web_vital.${name}.source_file`],
]

test('of a page of React: memo, forwardRef and classes by their names, and nobody behind a minified one', async () => {
  const more = `
    import { Component, forwardRef, memo } from 'react'
    import { createRoot } from 'react-dom/client'
    const Hero = memo(function Hero() { return <div><img src="/hero.bmp" width="300" height="200" alt="" /></div> })
    const Buy = forwardRef(function Buy(_, ref) {
      return <button ref={ref} onClick={() => { const end = performance.now() + 100; while (performance.now() < end); }}><b>Buy</b></button>
    })
    class AdSlot extends Component { render() { return <p className="ad" style={{ height: 300 }}>Text that moves</p> } }
    const a = () => <img src="/late.bmp?delay=300" style={{ display: 'block', width: 300 }} alt="" />
    const A = a
    const Shop = () => <main><Hero /><A /><AdSlot /><Buy /></main>
    createRoot(document.getElementById('root')).render(<Shop />)
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('click').length > 0) document.title = 'the click was shown'
    }).observe({ type: 'event', durationThreshold: 16 })`
  await using site = await startVitalsSite({
    script: measured({ more }),
    html: () => PAGE('<div id="root"></div>'),
  })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  await transactionsOf(site, 'pageload')
  await tab.page.getByRole('button').click()
  // An interaction is measured once its frame is on the screen: who leaves earlier has none.
  await tab.page.waitForFunction(() => document.title === 'the click was shown')
  await tab.page.goto('about:blank')
  const [lcp] = await waitForVital(site, 'lcp')
  const [inp] = await waitForVital(site, 'inp')
  const [cls] = await waitForVital(site, 'cls')
  assert.deepEqual(told('lcp', lcp), ['Hero', undefined])
  assert.deepEqual(told('inp', inp), ['Buy', undefined])
  assert.deepEqual(told('cls', cls), ['AdSlot', undefined])
  assert.equal(vitalSpans(site, 'cls').length, 1)
})

test("a bundler plugin's annotation says component and file, whatever the framework; without one nothing is said", async () => {
  const html = PAGE(
    `<section data-sentry-component="Hero" data-sentry-source-file="hero.tsx">
       <img data-sentry-element="img" src="/hero.bmp" width="300" height="200" alt=""></section>
     <div id="late"></div><p class="below" style="height: 300px">Text that moves</p>`,
  )
  const more = `setTimeout(() => { document.getElementById('late').style.height = '200px' }, 100)`
  await using site = await startVitalsSite({ script: measured({ more }), html: () => html })
  await using tab = await openPage(browser)
  await tab.page.goto(site.url)
  await transactionsOf(site, 'pageload')
  await tab.page.goto('about:blank')
  const [lcp] = await waitForVital(site, 'lcp')
  const [cls] = await waitForVital(site, 'cls')
  assert.deepEqual(told('lcp', lcp), ['Hero', 'hero.tsx'])
  assert.deepEqual(told('cls', cls), [undefined, undefined])
})
