export { loadRelease as load } from './load-release.server.ts'
