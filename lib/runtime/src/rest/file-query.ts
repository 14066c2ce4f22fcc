import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { isMessageWithMembers } from './json-form.ts';

/**
 * Query parameters of a request whose body is a file: the fields of the message. Fields of nested messages are
 * parameters, too, under their own names.
 */
export interface FileQuery {
  readonly fields: ReadonlyMap<string, DescField>;
  /** Converts query parameters to members of the message, and of its nested messages. */
  toMembers(values: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/**
 * Collects the query fields. Skips free-form JSON fields, because the file takes their place. Throws if two fields have
 * the same name.
 */
export function fileQueryOf(fields: readonly DescField[], isQueryField: (field: DescField) => boolean): FileQuery {
  const owners = new Map<string, DescField | undefined>();
  const found = new Map<string, DescField>();
  const add = (field: DescField, owner: DescField | undefined) => {
    if (found.has(field.name)) throw new Error(`the query of a file has two fields named ${field.name}`);
    found.set(field.name, field);
    owners.set(field.name, owner);
  };
  for (const field of fields) {
    if (isQueryField(field)) add(field, undefined);
    else if (isMessageWithMembers(field.message)) for (const inner of membersOf(field.message)) add(inner, field);
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
