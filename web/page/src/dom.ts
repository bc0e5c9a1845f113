// Short helpers for the elements of the page. Text is always set as text, never as HTML.

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> = {},
  ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

export function button(text: string, act: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text)
  made.addEventListener('click', act)
  return made
}

export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no element '${id}'`)
  return found as T
}

/** Sets the text of an element unless it is the same, so that selections and screen readers keep their place. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text
}

/** Shows rows of two columns, and reuses the existing ones. */
export function setRows(body: HTMLElement, rows: readonly (readonly [string, string])[]): void {
  while (body.children.length > rows.length) body.lastElementChild?.remove()
  rows.forEach(([name, value], index) => {
    let row = body.children[index]
    if (!row) {
      row = element('tr', {}, element('th', { scope: 'row' }), element('td'))
      body.append(row)
    }
    if (row.children[0]) setText(row.children[0], name)
    if (row.children[1]) setText(row.children[1], value)
  })
}

/** Saves bytes as a file of the user. */
export function saveFile(name: string, bytes: Uint8Array | Blob): void {
  const blob = bytes instanceof Blob ? bytes : new Blob([bytes as Uint8Array<ArrayBuffer>])
  const link = element('a', { href: URL.createObjectURL(blob), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
