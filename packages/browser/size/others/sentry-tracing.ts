import {
  browserTracingIntegration,
  captureException,
  captureMessage,
  init,
  setTag,
  setUser,
} from '@sentry/browser'

init({
  dsn: 'https://0123456789abcdef0123456789abcdef@sonde.example/1',
  tunnel: '/monitoring',
  integrations: [browserTracingIntegration()],
})
export { captureException, captureMessage, setTag, setUser }
