/** What buttons and keys copy of an event: made when somebody copies, so its code comes after the page. */
export { copyEvent, stackMarkdown } from './event-markdown.ts'
export { requestCurl } from './request-curl.ts'
export { stackText } from './stack-text.ts'
