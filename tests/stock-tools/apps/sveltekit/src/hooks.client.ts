import { chunkFailures, init, navigations, pageDataFailures } from '@sonde/browser'
import { svelteKitErrors } from '@sonde/browser/sveltekit'

init({
  dsn: `http://0123456789abcdef0123456789abcdef@${location.host}/42`,
  tunnel: '/monitoring',
  release: 'shop@1',
  features: [navigations({ hungAfterMs: 700 }), pageDataFailures(), chunkFailures()],
})

export const handleError = svelteKitErrors()
