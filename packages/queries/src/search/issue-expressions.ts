import type { RecordsSchema } from '@sonde/stores'
import type { ExpressionBuilder } from 'kysely'

/** What conditions about issues are built with: both tables are in the query. */
export type IssueExpressions = ExpressionBuilder<RecordsSchema, 'issue' | 'project'>
