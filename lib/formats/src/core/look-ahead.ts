import { AppError } from '@survey/runtime/errors/app-error';

const DEFAULT_COUNT = 1_000;

/**
 * Samples the first rows or responses of a file, by default 1,000, until an error.
 *
 * @param count at least 1
 */
export async function lookAhead<Item>(
  items: AsyncIterable<Item>,
  look: (item: Item) => void,
  count = DEFAULT_COUNT,
): Promise<void> {
  let left = count;
  try {
    for await (const item of items) {
      look(item);
      left -= 1;
      if (left === 0) return;
    }
  } catch (error) {
    // The error is reported later, when the file is read completely.
    if (!(error instanceof AppError)) throw error;
  }
}
