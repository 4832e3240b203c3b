// Elements of the page, made of values and never of markup: whatever a text says, it is shown as text.

/** A node, a text, a number, a list of these, or nothing. @typedef {any} Child */

/**
 * An element with properties, listeners (`onclick`) and children. `class`, `for`, `aria-*`, `data-*`, `role` and all that is
 * no property of the element become attributes; null and false are left out.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 * @returns {any}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'selected' || name === 'indeterminate') element[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

/** @param {Node} parent @param {Child} child */
export function append(parent, child) {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) child.forEach((each) => append(parent, each));
  else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
}

/** @param {Element} parent @param {...Child} children */
export function fill(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
  return parent;
}

const space = 'http://www.w3.org/2000/svg';

/**
 * @param {string} tag @param {Record<string, string | number>} [attributes] @param {...Node} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

let numbers = 0;
/** An id of this page's life. @param {string} prefix */
export const fresh = (prefix) => `${prefix}-${++numbers}`;

/**
 * Calls it when nothing has asked for `pause` milliseconds.
 * @template {any[]} Arguments
 * @param {(...values: Arguments) => void} call @param {number} pause
 */
export function rested(call, pause) {
  let timer = 0;
  return (/** @type {Arguments} */ ...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), pause);
  };
}

const live = h('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
/** Tells people who do not see the page. @param {string} text */
export function say(text) {
  if (!live.isConnected) document.body.append(live);
  live.textContent = '';
  setTimeout(() => { live.textContent = text; }, 50);
}
