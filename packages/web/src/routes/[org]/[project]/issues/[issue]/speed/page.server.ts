export { answerIssueSpeed as load } from '../../../../../../issue/answer-issue-speed.server.ts'
