export { loadVitals as load } from '../../../../vitals/load-vitals.server.ts'
