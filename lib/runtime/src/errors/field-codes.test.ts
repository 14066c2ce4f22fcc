import { type DescField, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf';
import { isReflectMessage, type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import {
  FieldRulesSchema,
  field as fieldRules,
  message as messageRules,
  oneof as oneofRules,
} from '@survey/proto/buf/validate/validate_pb';
import { catalog } from '@survey/proto/catalog';
import { describe, expect, it } from 'vitest';
import { fieldCodeOf } from './field-codes.ts';

/** All messages of requests and replies, and the messages inside them. */
function allMessages(): readonly DescMessage[] {
  const found = new Set<DescMessage>();
  const add = (message: DescMessage) => {
    if (found.has(message)) return;
    found.add(message);
    for (const { message: inner } of message.fields) if (inner !== undefined) add(inner);
  };
  for (const { methods } of Object.values(catalog).flat()) {
    for (const { input, output } of methods) for (const message of [input, output]) add(message);
  }
  return [...found];
}

/** The rules of a field, each as a path of field names. */
function rulesOf(field: DescField): readonly (readonly string[])[] {
  return hasOption(field, fieldRules) ? pathsIn(reflect(FieldRulesSchema, getOption(field, fieldRules))) : [];
}

function pathsIn(rules: ReflectMessage): readonly (readonly string[])[] {
  return rules.fields
    .filter((field) => rules.isSet(field))
    .flatMap((field) => {
      const value = rules.get(field);
      return (isReflectMessage(value) ? pathsIn(value) : [[]]).map((path) => [field.name, ...path]);
    });
}

const messages = allMessages();
const rules = messages.flatMap(({ fields, typeName }) =>
  fields.flatMap((field) => rulesOf(field).map((rule) => ({ rule, at: `${typeName}.${field.name}` }))),
);

describe('the code of a field', () => {
  it('exists for every rule of the contract', () => {
    expect(rules.length).toBeGreaterThan(100);
    const unmapped = rules.filter(({ rule }) => fieldCodeOf(rule) === undefined);
    expect(unmapped.map(({ rule, at }) => `${at}: ${rule.join('.')}`)).toEqual([]);
  });

  it('is not needed for rules of whole messages: the contract has none', () => {
    const withRules = messages.filter(
      (message) => hasOption(message, messageRules) || message.oneofs.some((oneof) => hasOption(oneof, oneofRules)),
    );
    expect(withRules.map(({ typeName }) => typeName)).toEqual([]);
  });

  it('is undefined for a rule that is not in the table', () => {
    expect(fieldCodeOf(['string', 'prefix'])).toBeUndefined();
    expect(fieldCodeOf(['cel'])).toBeUndefined();
  });
});
