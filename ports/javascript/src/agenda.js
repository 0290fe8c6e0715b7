/** What is due when: the earliest first, and of those due together the one that was entered first. A binary heap. */
export class Agenda {
  #heap = [];
  #entered = 0;

  /** When the first entry is due; Infinity when there is none. */
  get nextDue() {
    return this.#heap.length > 0 ? this.#heap[0].due : Infinity;
  }

  enter(due, item) {
    const heap = this.#heap;
    const entry = { due, order: this.#entered++, item };
    let at = heap.length;
    while (at > 0) {
      const parent = Math.floor((at - 1) / 2);
      if (!isBefore(entry, heap[parent])) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = entry;
  }

  /** Takes out the first entry, which must be there. */
  take() {
    const heap = this.#heap;
    const [{ item }] = heap;
    const moved = heap.pop();
    let at = 0;
    while (heap.length > 0) {
      let child = 2 * at + 1;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (child >= heap.length || !isBefore(heap[child], moved)) {
        heap[at] = moved;
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    return item;
  }
}

function isBefore(a, b) {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}
