import type { ComponentProps, ReactNode } from 'react'

export type FormProps = Omit<ComponentProps<'form'>, 'action' | 'method'> & {
  /** Where to post; default the current page. */
  action?: string
  /** `get` puts the fields into the query and navigates. Default `post`. */
  method?: 'get' | 'post'
  /** Shown inside the form when a post failed on the network; null shows nothing (see `usePostFailure`). */
  failure?: ReactNode
}

export function Form({ failure: _failure, ...rest }: FormProps) {
  return <form method="post" {...rest} />
}
