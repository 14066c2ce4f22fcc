/** What depends on what among questions, by position. */
export interface Dependencies {
  /** How many questions there are. */
  readonly count: number;
  /** The visibility of the targets looks at the source, because of a rule. */
  add(source: number, targets: readonly number[], rule: number): void;
  /** The first rule that made a target depend on a source; undefined when none does. */
  ruleOf(source: number, target: number): number | undefined;
  /** The questions whose visibility looks at the source, in their order. */
  dependentsOf(source: number): readonly number[];
}

/** A matrix: there are a thousand questions at most, of which logic may name every pair thousands of times. */
export const createDependencies = (count: number): Dependencies => {
  /** For each source the rule by target, counted from 1; 0 where there is none. */
  const rows: (Uint32Array | undefined)[] = [];
  return {
    count,
    add: (source, targets, rule) => {
      const row = rows[source] ?? new Uint32Array(count);
      rows[source] = row;
      for (const target of targets) if (row[target] === 0) row[target] = rule + 1;
    },
    ruleOf: (source, target) => {
      const rule = rows[source]?.[target] ?? 0;
      return rule === 0 ? undefined : rule - 1;
    },
    dependentsOf: (source) => {
      const row = rows[source];
      const dependents: number[] = [];
      if (row === undefined) return dependents;
      for (let target = 0; target < count; target++) if (row[target] !== 0) dependents.push(target);
      return dependents;
    },
  };
};

/**
 * Groups questions so that each group comes after all that it depends on. A group of several questions, or of
 * one that depends on itself, is a cycle. (Tarjan's strongly connected components.)
 */
export const groupByDependency = (dependencies: Dependencies): readonly (readonly number[])[] => {
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
    for (const next of dependencies.dependentsOf(node)) {
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

  for (let node = 0; node < dependencies.count; node++) if (!order.has(node)) visit(node);
  return groups.reverse();
};

/** The shortest way from a question back to itself, with it at both ends; empty when there is none. */
export const findCycle = (start: number, dependencies: Dependencies): readonly number[] => {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const node of queue) {
    for (const next of dependencies.dependentsOf(node)) {
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
