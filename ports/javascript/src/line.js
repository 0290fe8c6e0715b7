/** First come, first served; but anyone may leave from anywhere. Each operation takes constant time. */
export class Line {
  // Places are linked to their neighbours. (A Map keeps order too, but finding its first key means passing all the
  // holes that earlier ones have left.)
  #first = null;
  #last = null;

  /** Who has waited for the longest, or undefined. */
  get first() {
    return this.#first?.item;
  }

  /** Joins at the end. Gives the place, to leave from. */
  join(item) {
    const place = { item, before: this.#last, after: null };
    if (this.#last) this.#last.after = place;
    else this.#first = place;
    this.#last = place;
    return place;
  }

  leave({ before, after }) {
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
  }
}
