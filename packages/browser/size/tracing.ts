/** Budget "errors, breadcrumbs and tracing". */
import { breadcrumbs, captureException, captureMessage, init, setTag, setUser, tracing } from '@sonde/browser'

init({
  dsn: 'https://0123456789abcdef0123456789abcdef@sonde.example/1',
  tunnel: '/monitoring',
  features: [breadcrumbs(), tracing()],
})
export { captureException, captureMessage, setTag, setUser }
