export { loadTransaction as load } from '../../../../../performance/load-transaction.server.ts'
