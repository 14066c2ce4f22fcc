import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { isOwnMessage } from './json-form.ts';

/** Fields that the query of a request with a file says: those of the message, and those of its messages by their own names. */
export interface FileQuery {
  /** By name. */
  readonly fields: ReadonlyMap<string, DescField>;
  /** The members of the message, from the values by name. */
  toMembers(values: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** Throws when two fields have one name. What holds any JSON is the file, and no field of the query. */
export function fileQueryOf(fields: readonly DescField[], isQueryField: (field: DescField) => boolean): FileQuery {
  const owners = new Map<string, DescField | undefined>();
  const found = new Map<string, DescField>();
  const add = (field: DescField, owner: DescField | undefined) => {
    if (found.has(field.name)) throw new Error(`${field.name} is there twice among what a query says of a file`);
    found.set(field.name, field);
    owners.set(field.name, owner);
  };
  for (const field of fields) {
    if (isQueryField(field)) add(field, undefined);
    else if (isOwnMessage(field.message)) for (const inner of membersOf(field.message)) add(inner, field);
  }
  return {
    fields: found,
    toMembers(values) {
      const members: Record<string, unknown> = {};
      const nested = new Map<string, Record<string, unknown>>();
      for (const [name, value] of Object.entries(values)) {
        const owner = owners.get(name);
        if (owner === undefined) members[name] = value;
        else nested.set(owner.name, { ...nested.get(owner.name), [name]: value });
      }
      return { ...members, ...Object.fromEntries(nested) };
    },
  };

  function membersOf(message: DescMessage): readonly DescField[] {
    return message.fields.filter(isQueryField);
  }
}
