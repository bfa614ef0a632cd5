import { init, watchNextHydration } from './sonde.mjs'

watchNextHydration()
init({ dsn: process.env.NEXT_PUBLIC_SONDE_DSN ?? '', release: 'shop@4.0.0' })
