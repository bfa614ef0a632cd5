/**
 * A form post from the page. There is no time limit (a repeat could double the effect), a failure of
 * the network leaves page and form as they are, and whatever was known of pages before is forgotten.
 */
import { BUILD_HEADER, PAGE_HEADER } from '../shared/page-data.ts'
import { emit } from './events.ts'
import { type PageAnswer, readPageAnswer } from './fetch-page.ts'
import type { PageCache } from './page-cache.ts'

export type PostRequest = {
  /** Path and query of the page whose action runs. */
  readonly url: string
  readonly form: FormData
}

/**
 * - `done`: the action ran; the page shows its result or the page it led to
 * - `refused`: status 422; the page shows why, and the form keeps what was typed
 * - `failed`: no answer that can be understood; whether the action ran is not known
 * - `other-build`: nothing was done; the browser must post the form itself
 * - `left`: the browser is on its way to another document
 */
export type PostOutcome = 'done' | 'refused' | 'failed' | 'other-build' | 'left'

export type PostOptions = {
  readonly origin: string
  readonly build: string
  readonly fetch: typeof globalThis.fetch
  readonly cache: Pick<PageCache, 'clear' | 'keep'>
  readonly router: {
    /** Path and query shown now. */
    currentUrl(): string
    /** Path and query of the navigation under way, else those shown now. */
    nextUrl(): string
    /** `flushSync`: rendered before anything else is, so that no later answer takes its place unseen. */
    navigate(
      url: string,
      options: { replace: boolean; preventScrollReset: boolean; flushSync: boolean },
    ): Promise<void>
    revalidate(): Promise<void>
  }
  readonly assign: (url: string) => void
}

export function createPost(options: PostOptions): (request: PostRequest) => Promise<PostOutcome> {
  const answers: Answers = { count: 0 }
  return async (request) => {
    const outcome = await post(request, options, answers)
    emit({ type: 'post', url: request.url, outcome })
    return outcome
  }
}

/** How many posts of this document were answered so far. */
type Answers = { count: number }

async function post(
  { url, form }: PostRequest,
  options: PostOptions,
  answers: Answers,
): Promise<PostOutcome> {
  const { origin, build, cache, router, assign } = options
  const place = (): string => `${router.currentUrl()} ${router.nextUrl()}`
  const [placeBefore, answersBefore] = [place(), answers.count]
  let answer: PageAnswer
  try {
    const response = await options.fetch(origin + url, {
      method: 'POST',
      body: bodyOf(form),
      headers: { [PAGE_HEADER]: '1', [BUILD_HEADER]: build },
      credentials: 'same-origin',
    })
    answer = await readPageAnswer(response, { origin, build })
    if (answer.kind !== 'page' && response.redirected) {
      // The action ran; only what it led to could not be read.
      assign(response.url)
      return 'left'
    }
  } catch {
    return 'failed'
  }
  if (answer.kind !== 'page') {
    return answer.kind === 'failed' && answer.reason === 'build' ? 'other-build' : 'failed'
  }
  cache.clear()
  if (answer.page.leave !== undefined) {
    assign(answer.page.leave)
    return 'left'
  }
  const isOvertaken = answers.count++ !== answersBefore
  if (place() !== placeBefore) await router.revalidate()
  else {
    const isInPlace = answer.url === router.currentUrl()
    cache.keep(answer.url, answer.page)
    await router.navigate(answer.url, {
      replace: isInPlace,
      preventScrollReset: isInPlace || !answer.redirected,
      flushSync: isInPlace,
    })
    // Its page may be older than that of the post which was answered in between.
    if (isOvertaken && isInPlace) await router.revalidate()
  }
  return answer.page.status === 422 ? 'refused' : 'done'
}

/** As a browser would encode it: multipart only when there are files. */
function bodyOf(form: FormData): FormData | URLSearchParams {
  const texts = [...form].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  return texts.length === [...form].length ? new URLSearchParams(texts) : form
}
