// The rows of a long list, page by page. A few pages stay in the document, so that the browser lays out as much after a
// thousand pages as after ten; what went out at one end is asked for again when one goes back there.
import { h } from './dom.js';
import { words } from './words.js';

const most = 10;

/** What a change above or below does not move. @param {Element | null} element @param {() => void} change */
function holding(element, change) {
  const before = element?.getBoundingClientRect().top ?? 0;
  change();
  if (element?.isConnected) scrollBy(0, element.getBoundingClientRect().top - before);
}

export class Rows {
  /**
   * @param {{first: () => Promise<{data: any}>, next: (path: string) => Promise<{data: any}>, atOnce: number, draw: (row: any) => Element,
   *   drawn: (from: number, to: number, data: any) => void, failed: (error: any) => void}} options
   *   drawn: told after each page which rows are there.
   */
  constructor(options) {
    this.options = options;
    this.body = h('tbody', {});
    /** How each page is asked for. */ this.asks = [options.first];
    /** @type {Element[][]} pages that are shown */ this.shown = [];
    this.from = 0;   // number of the first of them
    this.last = 0;   // number of the one that was asked for last
    this.isLoading = false;
    this.earlier = h('button', { type: 'button', class: 'second', hidden: true, onclick: () => this.load(this.from - 1) }, words.earlierRows);
    this.more = h('button', { type: 'button', class: 'second', hidden: true, onclick: () => this.load(this.from + this.shown.length) }, words.more);
  }

  /** @param {number} number of a page that stands beside those that are shown */
  async load(number = 0) {
    if (this.isLoading) return;   // pressed twice
    this.isLoading = true;
    this.last = number;
    try {
      const { data } = await this.asks[number]();
      const next = data._links?.Next?.[0]?._self;
      if (next) this.asks[number + 1] = () => this.options.next(next);
      else this.asks.length = number + 1;
      const isBefore = number < this.from;
      holding(isBefore ? this.body.firstElementChild : this.body.lastElementChild, () => {
        this.place(number, data.results.map(this.options.draw));
        this.offer();
      });
      const from = this.from * this.options.atOnce;
      this.options.drawn(from, from + this.body.children.length, data);
    } catch (error) { this.options.failed(error); } finally { this.isLoading = false; }
  }

  /** What did not come. */
  retry() { return this.load(this.last); }

  /** At the end where it belongs, while at the other one a page goes. @param {number} number @param {Element[]} rows */
  place(number, rows) {
    const isBefore = number < this.from;
    this.body[isBefore ? 'prepend' : 'append'](...rows);
    this.shown[isBefore ? 'unshift' : 'push'](rows);
    if (isBefore) this.from = number;
    if (this.shown.length <= most) return;
    (isBefore ? this.shown.pop() : this.shown.shift())?.forEach((each) => each.remove());
    if (!isBefore) this.from++;
  }

  /** What leads on and back. Whoever pressed a button that is no longer there is at the rows. */
  offer() {
    const active = document.activeElement;
    this.earlier.hidden = this.from === 0;
    this.more.hidden = this.asks.length <= this.from + this.shown.length;
    if ((active === this.earlier || active === this.more) && /** @type {HTMLElement} */ (active).hidden)
      this.body.closest('[tabindex]')?.focus({ preventScroll: true });
  }
}
