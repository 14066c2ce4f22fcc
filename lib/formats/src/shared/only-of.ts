/** The only item of a list. Several items stay a list, which validation rejects for a single choice. */
export function onlyOf<Item>(items: Item[]): Item | Item[] | undefined {
  return items.length > 1 ? items : items[0];
}
