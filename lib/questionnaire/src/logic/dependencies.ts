/** What depends on what: for each question the positions of those whose visibility looks at it. */
export type Dependents = readonly ReadonlySet<number>[];

/**
 * Groups questions so that each group comes after all that it depends on. A group of several questions, or of
 * one that depends on itself, is a cycle. (Tarjan's strongly connected components.)
 */
export const groupByDependency = (dependents: Dependents): readonly (readonly number[])[] => {
  const groups: number[][] = [];
  const stack: number[] = [];
  const onStack = new Set<number>();
  const order = new Map<number, number>();

  const visit = (node: number): number => {
    const own = order.size;
    order.set(node, own);
    stack.push(node);
    onStack.add(node);
    let lowest = own;
    for (const next of dependents[node] ?? []) {
      const known = order.get(next);
      if (known === undefined) lowest = Math.min(lowest, visit(next));
      else if (onStack.has(next)) lowest = Math.min(lowest, known);
    }
    if (lowest === own) {
      const group = stack.splice(stack.lastIndexOf(node));
      for (const member of group) onStack.delete(member);
      groups.push(group.sort((a, b) => a - b));
    }
    return lowest;
  };

  for (const node of dependents.keys()) if (!order.has(node)) visit(node);
  return groups.reverse();
};

/** The shortest way from a question back to itself, with it at both ends; empty when there is none. */
export const findCycle = (start: number, dependents: Dependents): readonly number[] => {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const node of queue) {
    for (const next of dependents[node] ?? []) {
      if (next === start) return [...wayBack(node, start, cameFrom).reverse(), start];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return [];
};

const wayBack = (from: number, to: number, cameFrom: ReadonlyMap<number, number>): number[] => {
  const way = [from];
  for (let node: number | undefined = from; node !== to && node !== undefined; ) {
    node = cameFrom.get(node);
    if (node !== undefined) way.push(node);
  }
  return way;
};
