export {
  ErrorBoundary,
  type ErrorBoundaryProps,
  type Fallback,
  type FallbackProps,
} from './error-boundary.ts'
export { reactErrorHandlers, type ReactErrorHandlers, type RootErrorInfo } from './root-handlers.ts'
