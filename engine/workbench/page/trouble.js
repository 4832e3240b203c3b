// What went wrong, in a sentence with a way on, where it happened: nothing else of the page goes away.
import { Refusal, SignedOut, Unreachable, place } from './api.js';
import { h } from './dom.js';
import { keepDraft } from './draft.js';
import { words } from './words.js';

/** @param {any} error */
export function sentenceOf(error) {
  if (error instanceof SignedOut) return words.signedOutTitle;
  if (error instanceof Unreachable) return `${words.unreachableTitle}. ${words.unreachable}`;
  return (error instanceof Error && error.message) || words.failedTitle;
}

/** Where this tab is, to come back to. */
export const keepPlace = () => keepDraft('place', /\/workbench\/?$/.test(location.pathname) ? null : location.pathname + location.search);

/** @param {any} error @param {() => void} [again] */
export function trouble(error, again) {
  if (!(error instanceof Refusal || error instanceof SignedOut || error instanceof Unreachable)) console.error(error);
  const isOver = error instanceof SignedOut;
  if (isOver) keepPlace();
  return h('div', { class: 'problem', role: 'alert' }, h('p', {}, sentenceOf(error), isOver && ` ${words.signedOutLead}`),
    isOver && [h('a', { class: 'button small', href: `${place.workbench}/sign-in` }, words.signInAnalyst), ' ',
      h('a', { class: 'button second small', href: `${place.workbench}/sign-in?as=User` }, words.signInUser)],
    !isOver && again && h('button', { type: 'button', class: 'second small', onclick: again }, words.again));
}
