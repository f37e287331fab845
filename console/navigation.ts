import { useEffect, useState } from 'preact/hooks'
import { type Address, addressFrom } from './address.ts'

/** Goes to an address; with `replace`, the current one does not remain in the history. */
export const goTo = (link: string, replace = false): void => {
  if (replace) location.replace(link)
  else location.hash = link
}

/** The current address, which follows the browser's back and forward. */
export const useAddress = (): Address => {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = () => {
      setHash(location.hash)
      scrollTo(0, 0)
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return addressFrom(hash)
}
