export { loadTransaction as load } from './load-transaction.server.ts'
