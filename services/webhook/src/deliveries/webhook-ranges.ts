/** A range of webhook ids. An undefined bound is open. */
export interface WebhookRange {
  /** Exclusive. */
  readonly after: string | undefined;
  /** Inclusive. */
  readonly upTo: string | undefined;
}

/** Splits the webhooks into ranges. A round searches all ranges, one after the other. */
export interface WebhookRanges {
  current(): WebhookRange;
  /** Advances to the next range. @param foundIds ids of the current range @returns whether the round has more ranges */
  advance(foundIds: readonly string[]): boolean;
}

/** The first round has one range. Each later round splits the ids of the previous round into ranges of `size` ids. */
export function createWebhookRanges(size: number): WebhookRanges {
  let bounds: readonly string[] = [];
  let index = 0;
  let foundInRound: readonly string[] = [];

  return {
    current: () => ({ after: bounds[index - 1], upTo: bounds[index] }),

    advance(foundIds) {
      foundInRound = [...foundInRound, ...foundIds.toSorted()];
      index += 1;
      if (index <= bounds.length) return true;
      bounds = foundInRound.filter((_, position) => position % size === size - 1);
      foundInRound = [];
      index = 0;
      return false;
    },
  };
}
