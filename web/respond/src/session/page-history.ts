/** A step of the browser through its history, with its Back or Forward, to an entry of this survey. */
export interface Move {
  /** Position of the page in the definition. */
  readonly position: number;
  /** Negative for Back, positive for Forward. */
  readonly steps: number;
}

/**
 * The pages of a survey as entries in the history of the tab, so that the browser's Back and the swipe go to the
 * previous page. Every entry has the same address; its state has the position of the page.
 */
export interface PageHistory {
  /**
   * Makes entries for pages, of which the last one is shown. After a reload, the entries that led there are still in the
   * history.
   */
  begin(positions: readonly number[]): void;
  /** Adds an entry for the next page. */
  add(position: number): void;
  /** Replaces the current entry, if a page is shown that is not the next one. */
  replace(position: number): void;
  /** Goes one entry back, which moves like the browser's Back. Returns false if there is no earlier entry. */
  back(): boolean;
  /** Goes to the first entry: the next Back leaves the survey. */
  leave(): void;
  /** Reads the move from the state of a `popstate` event; undefined if the entry is another survey's or the current one. */
  readMove(state: unknown): Move | undefined;
  accept(move: Move): void;
  /** Goes back over the entry of the move, which would show no earlier page. The first entry leaves the survey. */
  skip(move: Move): void;
  /** Returns to the entry before the move. */
  undo(move: Move): void;
}

interface Entry {
  readonly surveyPage: number;
  /** Number of earlier entries. */
  readonly depth: number;
}

type BrowserHistory = Pick<History, 'state' | 'pushState' | 'replaceState' | 'go'>;

/** @param history undefined for a preview: its entries would be in the history of the console that frames it */
export function createPageHistory(history: BrowserHistory | undefined): PageHistory {
  let depth = 0;
  const entryOf = (surveyPage: number): Entry => ({ surveyPage, depth });

  function add(position: number): void {
    if (history === undefined) return;
    depth += 1;
    history.pushState(entryOf(position), '');
  }

  return {
    begin(positions) {
      const current = readEntry(history?.state);
      depth = current?.depth ?? 0;
      if (current?.surveyPage === positions.at(-1)) return;
      depth = 0;
      const [first = 0, ...more] = positions;
      history?.replaceState(entryOf(first), '');
      more.forEach(add);
    },
    add,
    replace: (position) => history?.replaceState(entryOf(position), ''),
    back() {
      if (history === undefined || depth === 0) return false;
      history.go(-1);
      return true;
    },
    leave() {
      if (depth > 0) history?.go(-depth);
    },
    readMove(state) {
      const entry = readEntry(state);
      if (entry === undefined || entry.depth === depth) return undefined;
      return { position: entry.surveyPage, steps: entry.depth - depth };
    },
    accept({ steps }) {
      depth += steps;
    },
    skip({ steps }) {
      depth += steps;
      history?.go(-1);
    },
    undo: ({ steps }) => history?.go(-steps),
  };
}

function readEntry(state: unknown): Entry | undefined {
  const { surveyPage, depth } = (state ?? {}) as Partial<Record<keyof Entry, unknown>>;
  return typeof surveyPage === 'number' && typeof depth === 'number' ? { surveyPage, depth } : undefined;
}
