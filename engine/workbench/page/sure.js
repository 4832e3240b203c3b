// Asks before what cannot be undone.
import { fresh, h } from './dom.js';
import { words } from './words.js';

/** @param {string} title @param {string} button @param {() => Promise<void>} act @param {string} [lead] */
export function sure(title, button, act, lead = words.removeLead) {
  const id = fresh('sure');
  const dialog = h('dialog', { 'aria-labelledby': id, onclose: () => dialog.remove() }, h('h2', { id }, title), h('p', {}, lead),
    h('div', { class: 'row' }, h('button', { type: 'button', class: 'danger', onclick: () => { dialog.close(); act(); } }, button),
      h('button', { type: 'button', class: 'quiet', onclick: () => dialog.close() }, words.cancel)));
  document.body.append(dialog);
  dialog.showModal();
}
