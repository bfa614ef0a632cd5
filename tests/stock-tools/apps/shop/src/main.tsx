import * as Sentry from '@sentry/react'
import { createRoot } from 'react-dom/client'
import { Checkout } from './checkout.tsx'

declare const SHOP: { dsn: string; release: string | undefined }

Sentry.init({ dsn: SHOP.dsn, ...(SHOP.release && { release: SHOP.release }) })

const root = document.getElementById('root')
if (root) createRoot(root).render(<Checkout />)

/** A chunk that bundlers split off, which no page loads by itself. */
const openHelp = (): Promise<unknown> => import('./help.ts')
document.addEventListener('open-help', () => void openHelp())
