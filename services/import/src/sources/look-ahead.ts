import { AppError } from '@survey/runtime/errors/app-error';

/** As much of a file as is looked at beforehand. */
const MAX_ITEMS = 1_000;

/** Looks at the first rows or responses of a file for what only they tell, up to where it cannot be read on. */
export async function lookAhead<Item>(items: AsyncIterable<Item>, look: (item: Item) => void): Promise<void> {
  let left = MAX_ITEMS;
  try {
    for await (const item of items) {
      look(item);
      left -= 1;
      if (left === 0) return;
    }
  } catch (error) {
    // It is told when the file is read whole, behind the responses before it.
    if (!(error instanceof AppError)) throw error;
  }
}
