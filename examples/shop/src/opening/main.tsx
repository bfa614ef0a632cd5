import '../shop.css'
import { watchHydration } from '@sonde/react/hydration'
import { hydrateRoot } from 'react-dom/client'
import { startReporter } from '../reporter.ts'
import { Opening } from './opening.tsx'

startReporter()
// What differs from the server's page, what it costs, and clicks that come too early.
const container = document.getElementById('root') as HTMLElement
const { app, handlers } = watchHydration(container, <Opening />)
hydrateRoot(container, app, handlers)
