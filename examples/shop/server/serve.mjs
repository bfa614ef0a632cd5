/** `npm run example:shop`: builds the shop and serves it. Settings: SONDE_DSN, API_URL, PORT, RELEASE, ENVIRONMENT. */
import { join } from 'node:path'
import { buildShop } from './build.mjs'
import { createShopServer } from './create-shop-server.mjs'

const env = process.env
const release = env.RELEASE ?? 'shop@1.5.0'
const dsn = env.SONDE_DSN ?? ''
const dir = await buildShop({ release, outDir: join(import.meta.dirname, '..', 'dist') })
const { server } = createShopServer({
  dir,
  dsn,
  environment: env.ENVIRONMENT ?? 'production',
  apiUrl: env.API_URL ?? 'http://127.0.0.1:4312',
  tunnelTo: dsn,
})
server.listen(Number(env.PORT ?? 4311), '127.0.0.1', () => {
  process.stdout.write(`Shop (${release}) on http://127.0.0.1:${server.address().port}/\n`)
})
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    server.closeAllConnections()
    server.close(() => process.exit(0))
  })
}
