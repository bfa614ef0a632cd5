/** For the shop's server: built into one file of its own. */
import { renderToString } from 'react-dom/server'
import { Opening } from './opening.tsx'

export const renderOpening = (): string => renderToString(<Opening />)
