import { chunkFailures, init, navigations, pageDataFailures } from '@sonde/browser'
import { astroRouter } from '@sonde/browser/astro'
import { navigate } from 'astro:transitions/client'

init({
  dsn: `http://0123456789abcdef0123456789abcdef@${location.host}/42`,
  tunnel: '/monitoring',
  release: 'shop@1',
  features: [navigations({ hungAfterMs: 700 }), pageDataFailures(), chunkFailures()],
})
document.addEventListener('astro:before-preparation', (event) => {
  if (event.to.pathname === '/stopped') event.preventDefault()
  if (event.to.pathname === '/thrown') event.loader = () => Promise.reject(new TypeError('no data'))
})
document.addEventListener('astro:before-swap', (event) => {
  if (event.to.pathname !== '/torn') return
  event.swap = () => {
    throw new RangeError('no swap')
  }
})
document.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLButtonElement) setTimeout(navigate, 200, '/orders/7')
})
astroRouter()
