/** Budget "errors and sessions": what release health adds. */
import { captureException, captureMessage, init, sessions, setTag, setUser } from '@sonde/browser'

init({
  dsn: 'https://0123456789abcdef0123456789abcdef@sonde.example/1',
  tunnel: '/monitoring',
  release: 'shop@1.0.0',
  features: [sessions()],
})
export { captureException, captureMessage, setTag, setUser }
