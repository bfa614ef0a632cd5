import { useEffect, useState } from 'react'

export type Fetched<Data> =
  | { readonly state: 'loading'; readonly data: Data | undefined }
  | { readonly state: 'done'; readonly data: Data }
  | { readonly state: 'failed'; readonly data: Data | undefined }

/** What an address of ours answers; `undefined` asks for nothing. While the next answer is awaited the last one stays. */
export function useJson<Data>(url: string | undefined, afterMs = 0): Fetched<Data> {
  const [fetched, setFetched] = useState<Fetched<Data> & { readonly url?: string }>({
    state: 'loading',
    data: undefined,
  })
  useEffect(() => {
    if (url === undefined) return undefined
    const abort = new AbortController()
    const ask = async (): Promise<void> => {
      try {
        const answer = await fetch(url, { signal: abort.signal, headers: { accept: 'application/json' } })
        const data = (await answer.json()) as Data
        setFetched({ state: 'done', data, url })
      } catch {
        // A sign-in page instead of JSON, no network: the list says that it could not be had.
        if (!abort.signal.aborted) setFetched(({ data }) => ({ state: 'failed', data, url }))
      }
    }
    const timer = setTimeout(() => void ask(), afterMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [url, afterMs])
  return fetched.url === url ? fetched : { state: 'loading', data: fetched.data }
}
