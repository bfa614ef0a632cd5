import * as Sentry from '@sentry/react'
import { createRoot } from 'react-dom/client'
import { Checkout } from './checkout.tsx'

declare const SHOP: { dsn: string; release: string | undefined }

Sentry.init({ dsn: SHOP.dsn, ...(SHOP.release && { release: SHOP.release }) })

const root = document.getElementById('root')
if (root) createRoot(root).render(<Checkout />)
