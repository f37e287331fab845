/** A preformatted text, such as code, which scrolls if it is too wide, also with the keyboard. */
export const Preformatted = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the element that has the focus
  <pre class="scroll" tabIndex={0}>
    {text}
  </pre>
)
