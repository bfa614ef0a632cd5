export { loadTransactions as load } from './load-transactions.server.ts'
