import type { JsonObject } from '@bufbuild/protobuf';
import { isUnanswered } from '@survey/questionnaire/answers/answer-value';
import { isAbsent, isObject, itemsOf, setMember } from '@survey/questionnaire/json';
import type { ResponseFileReader, Warn } from '../core/reader.ts';
import { createAnswerCollector, type ResponseFormat, readToolResponses } from '../core/responses/items.ts';
import { unknownQuestion } from '../core/responses/response.ts';
import { sourceDataOf } from '../core/source-data.ts';
import { objectOf } from '../core/source-questions.ts';
import type { ImportFile } from '../files/import-file.ts';
import type { WarnOnce } from '../files/report.ts';
import { createAnswerTargets, unsupportedFieldsOf } from './answers.ts';
import { RESPONSE_PATHS } from './document.ts';

/** Members of a response that are imported, or ignored without a warning. */
const MEMBERS = new Set(['id', 'createdAt', 'updatedAt', 'surveyId', 'finished', 'data', 'language', 'displayId']);
const METADATA_MEMBERS = [
  ...['meta', 'variables', 'contact', 'contactId', 'contactAttributes', 'person', 'personId', 'personAttributes'],
  ...['singleUseId', 'tags', 'notes', 'ttc', 'endingId'],
];

/** Reads responses of Formbricks: a page of the API, or an array. */
export const readFormbricksResponses: ResponseFileReader = (file, { payload }, { warn }) =>
  readToolResponses(file, [['data'], ...RESPONSE_PATHS, []], formatOf(payload), warn);

/** Reads the responses in a file that also has the survey. */
export function readResponsesWithSurvey(file: ImportFile, payload: JsonObject, warn: Warn) {
  return readToolResponses(file, RESPONSE_PATHS, formatOf(payload), warn);
}

function formatOf(payload: JsonObject): ResponseFormat {
  const targets = createAnswerTargets(payload);
  const hidden = hiddenFieldsOf(payload);
  return {
    expected: 'an array `data` of responses, as from GET /api/v1/management/responses?surveyId={id}',
    members: MEMBERS,
    metadataMembers: METADATA_MEMBERS,
    read(value, path, warnOnce) {
      const { data } = value;
      const { collector, keptData } = readAnswers(objectOf(data), `${path}/data`, { targets, hidden, warnOnce });
      if (!isAbsent(data) && !isObject(data)) collector.addNoAnswer('data', data, 'the answers must be an object');
      const { answers, files, unassigned } = collector;
      const { language } = value;
      return {
        id: String(value['id'] ?? ''),
        startedAt: value['createdAt'] ?? undefined,
        completedAt: value['updatedAt'] ?? value['createdAt'] ?? undefined,
        language: typeof language === 'string' && language !== 'default' ? language : undefined,
        metadata: { data: keptData, files },
        answers,
        unassigned,
        ...(value['finished'] === false ? { status: 'in_progress' } : {}),
      };
    },
  };
}

interface ReadContext {
  readonly targets: ReturnType<typeof createAnswerTargets>;
  /** Ids of hidden fields. Their values become metadata without a warning. */
  readonly hidden: ReadonlySet<string>;
  readonly warnOnce: WarnOnce;
}

function readAnswers(data: JsonObject, path: string, { targets, hidden, warnOnce }: ReadContext) {
  const collector = createAnswerCollector(warnOnce);
  const keptData: JsonObject = {};
  for (const [name, value] of Object.entries(data)) {
    const targetsOfName = targets.get(name);
    if (targetsOfName === undefined) {
      setMember(keptData, name, value);
      if (hidden.has(name)) continue;
      const detail = `The survey has no question ${name.slice(0, 100)}; its values are kept in the metadata`;
      warnOnce(`question ${name}`, { path, code: 'KEPT_AS_METADATA', detail });
      if (!isUnanswered(value)) collector.unassigned.push(unknownQuestion(name, { keptAs: ['data', name] }));
      continue;
    }
    const untaken = unsupportedFieldsOf(value, targetsOfName);
    if (untaken !== undefined) collector.unassigned.push(unknownQuestion(name, { value: untaken }));
    for (const { question, toValue } of targetsOfName) {
      if (question.type === 'file_upload') collector.addFiles(question.id, value, path);
      collector.add(question.id, toValue(value));
    }
  }
  return { collector, keptData };
}

function hiddenFieldsOf(payload: JsonObject): ReadonlySet<string> {
  const fields = sourceDataOf(objectOf(payload['survey']))['hiddenFields'];
  return new Set(itemsOf(objectOf(fields)['fieldIds']).map(String));
}
