/** The only item of a list. Several stay a list, which no question with one choice takes. */
export function onlyOf<Item>(items: Item[]): Item | Item[] | undefined {
  return items.length > 1 ? items : items[0];
}
