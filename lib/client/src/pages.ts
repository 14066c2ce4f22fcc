/** A part of a list. It can be short or empty although others follow. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The `cursor` of the next page. Undefined on the last one. */
  readonly nextCursor: string | undefined;
}

/** A list. `for await` iterates over the items of all pages, and requests a page when it is needed. */
export interface Pages<T> extends AsyncIterable<T> {
  /** Requests one page: the first one, or that of `cursor` in the query. */
  page(): Promise<Page<T>>;
  /** Iterates over pages. */
  pages(): AsyncIterable<Page<T>>;
}

/** @param load requests the page at a cursor; without a cursor, the page that the query selects */
export function createPages<T>(load: (cursor: string | undefined) => Promise<Page<T>>): Pages<T> {
  async function* pages() {
    let cursor: string | undefined;
    do {
      const page = await load(cursor);
      yield page;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  return {
    page: () => load(undefined),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}

/** The cursor in a header such as `Link: </v1/surveys?cursor=WyIy>; rel="next"`. */
export function readNextCursor(headers: Headers): string | undefined {
  const [, target] = /<([^>]*)>; *rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (target === undefined) return undefined;
  return new URL(target, 'http://gateway').searchParams.get('cursor') ?? undefined;
}
