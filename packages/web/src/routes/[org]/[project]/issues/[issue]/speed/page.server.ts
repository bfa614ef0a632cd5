export { answerIssueSpeed as load } from './answer-issue-speed.server.ts'
