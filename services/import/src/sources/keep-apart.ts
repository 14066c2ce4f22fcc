import type { JsonObject } from '@bufbuild/protobuf';

/** What is kept of a tool beside what a reader notes itself: members that are called like its own stand in `more`. */
export function keepApart(members: JsonObject, own: ReadonlySet<string>): JsonObject {
  const isTaken = (name: string) => own.has(name) || name === 'more';
  const [free, taken] = [
    Object.entries(members).filter(([name]) => !isTaken(name)),
    Object.entries(members).filter(([name]) => isTaken(name)),
  ];
  return { ...Object.fromEntries(free), ...(taken.length === 0 ? {} : { more: Object.fromEntries(taken) }) };
}
