/**
 * A directed graph: the visibility of one question depends on the answer to another. Questions are given by their
 * positions.
 */
export interface Dependencies {
  /** Number of questions. */
  readonly count: number;
  /** Adds a rule by which the visibility of the targets depends on the source. */
  add(source: number, targets: readonly number[], rule: number): void;
  /** The first rule by which the target depends on the source, if any. */
  ruleOf(source: number, target: number): number | undefined;
  /** The questions whose visibility depends on the source, in order. */
  dependentsOf(source: number): readonly number[];
}

/**
 * Stored as a matrix, so memory depends only on the number of questions (at most 1,000), not on how often logic repeats
 * a pair.
 */
export function createDependencies(count: number): Dependencies {
  /** `rows[source][target]` is the rule index plus 1, or 0 if there is no rule. */
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
}

/**
 * Groups questions so that each group follows the groups that it depends on (Tarjan's strongly connected components). A
 * cycle is a group of several questions, or a question that depends on itself.
 */
export function groupByDependency(dependencies: Dependencies): readonly (readonly number[])[] {
  const groups: number[][] = [];
  const stack: number[] = [];
  const onStack = new Set<number>();
  const order = new Map<number, number>();

  const visit = (node: number): number => {
    const nodeOrder = order.size;
    order.set(node, nodeOrder);
    stack.push(node);
    onStack.add(node);
    let lowest = nodeOrder;
    for (const next of dependencies.dependentsOf(node)) {
      const nextOrder = order.get(next);
      if (nextOrder === undefined) lowest = Math.min(lowest, visit(next));
      else if (onStack.has(next)) lowest = Math.min(lowest, nextOrder);
    }
    if (lowest === nodeOrder) {
      const group = stack.splice(stack.lastIndexOf(node));
      for (const member of group) onStack.delete(member);
      groups.push(group.sort((a, b) => a - b));
    }
    return lowest;
  };

  for (let node = 0; node < dependencies.count; node++) if (!order.has(node)) visit(node);
  return groups.reverse();
}

/** The shortest cycle through `start`. It begins and ends with `start`, and is empty if there is no cycle. */
export function findCycle(start: number, dependencies: Dependencies): readonly number[] {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const node of queue) {
    for (const next of dependencies.dependentsOf(node)) {
      if (next === start) return [...traceBack(node, start, cameFrom).reverse(), start];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return [];
}

function traceBack(from: number, to: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const path = [from];
  for (let node: number | undefined = from; node !== to && node !== undefined; ) {
    node = cameFrom.get(node);
    if (node !== undefined) path.push(node);
  }
  return path;
}
