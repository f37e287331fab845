import type { ComponentChildren, TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import { Problem } from '../parts/problem.tsx'
import './form.css'

interface FormProps {
  readonly class: string
  readonly action: string
  /** Sends the content of the form. Its error is shown below the form. */
  readonly send: (data: FormData) => unknown
  readonly children: ComponentChildren
}

export const Form = ({ class: className, action, send, children }: FormProps) => {
  const [error, setError] = useState<unknown>()
  const [isSending, setIsSending] = useState(false)
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsSending(true)
    setError(undefined)
    try {
      await send(new FormData(event.currentTarget))
    } catch (thrown) {
      setError(thrown)
    }
    setIsSending(false)
  }
  return (
    <form class={className} aria-label={action} onSubmit={submit}>
      {children}
      <button type="submit" disabled={isSending}>
        {isSending ? `${action} …` : action}
      </button>
      {error !== undefined && <Problem error={error} />}
    </form>
  )
}

/** The text of a field of a form without white space around it; empty if the form has no such field. */
export const trimmedText = (data: FormData, name: string): string => String(data.get(name) ?? '').trim()
