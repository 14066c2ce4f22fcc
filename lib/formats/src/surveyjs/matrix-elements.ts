import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { isEmptyText, joinTexts } from '../core/texts.ts';
import { type ElementContext, keepRest, type SurveyjsElement, toQuestion, warnOfUnsupportedType } from './element.ts';
import { showsAllRows, warnOfHiddenRows } from './hidden-rows.ts';
import { toOptions } from './items.ts';
import { createMemberReader } from './member-reader.ts';

/** Converts a matrix; without rows, to a likert scale. */
export function readMatrix(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  const { members, path } = element;
  const columns = toOptions(members.takeList('columns'), `${path}/columns`, context);
  const rows = toOptions(members.takeList('rows'), `${path}/rows`, context);
  if (columns.length === 0) return readJsonText(element, context);
  if (rows.length === 0) return [toQuestion(element, context, { type: 'likert', members: { options: columns } })];
  const needsAll = ['isAllRowRequired', 'eachRowRequired'].map((name) => members.takeFlag(name)).includes(true);
  const isMadeOptional = (needsAll || element.isRequired) && !showsAllRows(element, rows);
  if (isMadeOptional) warnOfHiddenRows(element, context);
  const isMultiple = members.takeText('cellType') === 'checkbox';
  return [
    toQuestion(element, context, {
      type: 'matrix',
      members: {
        rows,
        columns,
        ...(isMultiple ? { multiple: true } : {}),
        // In SurveyJS, one row is enough for a required matrix, unless every row is required.
        ...(needsAll && !isMadeOptional ? { required: true } : { required_rows: 1 }),
        ...(isMadeOptional ? { required: false } : {}),
      },
      source: isMadeOptional ? { isRequired: element.isRequired, eachRowRequired: needsAll } : {},
    }),
  ];
}

/** Converts several texts to a question each. */
export function readMultipleText(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  const items = element.members.takeList('items');
  warnOfUnsupportedType(element, context, 'each of its texts becomes a question');
  return items.flatMap((item, index): readonly JsonObject[] => {
    const path = `${element.path}/items/${index}`;
    const members = createMemberReader(isObject(item) ? item : { name: item });
    const name = String(members.take('name') ?? '');
    if (name === '') return [];
    const title = context.texts.read(members.take('title'), path);
    const maxLength = members.takeNumber('maxLength') ?? 0;
    const inputType = members.takeText('inputType');
    const isRequired = members.takeFlag('isRequired');
    return [
      toQuestion(element, context, {
        type: 'text',
        name: `${element.name}.${name}`,
        title: joinTexts(element.title, isEmptyText(title) ? name : title, ': '),
        members: {
          ...(isRequired ? { required: true } : {}),
          ...(maxLength > 0 ? { max_length: maxLength } : {}),
          ...(inputType === 'number' || inputType === 'email' ? { format: inputType } : {}),
        },
        source: {
          ...keepRest(members, path, context.warnOnce),
          item: name,
          ...(inputType === undefined ? {} : { input_type: inputType }),
        },
      }),
    ];
  });
}

/** Converts an element to a text that has the answer as JSON. */
export function readJsonText(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  warnOfUnsupportedType(element, context, 'it becomes a text with answers as JSON');
  return [toQuestion(element, context, { type: 'textarea', source: { kept_as: 'json' } })];
}
