export { loadVitals as load } from './load-vitals.server.ts'
