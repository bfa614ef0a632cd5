export { loadTransactions as load } from '../../../../performance/load-transactions.server.ts'
