export type { ActionArgs, LoadArgs, PageKind } from './args.ts'
export { httpError, type Invalid, invalid, notFound, redirect, type RedirectStatus } from './results.ts'
