import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isUnanswered } from '@survey/questionnaire/answers/answer-value';
import { isArray, isObject, setMember } from '@survey/questionnaire/json';
import type { ResponseFileReader, Warn } from '../core/reader.ts';
import { createAnswerCollector, type ResponseFormat, readToolResponses } from '../core/responses/items.ts';
import { readStatus } from '../core/responses/response.ts';
import type { ImportFile } from '../files/import-file.ts';
import type { WarnOnce } from '../files/report.ts';
import { type AnswerReader, createAnswerReaders } from './answers.ts';
import { RESPONSES_PATH } from './document.ts';

/** Members that are imported, or that only identify the response at SurveyMonkey. */
const RESPONSE_MEMBERS = new Set([
  ...['id', 'pages', 'date_created', 'date_modified', 'response_status', 'survey_id', 'href', 'edit_url'],
  ...['analyze_url', 'page_path', 'logic_path'],
]);
const METADATA_MEMBERS = [
  ...['collector_id', 'recipient_id', 'collection_mode', 'custom_value', 'custom_variables', 'ip_address'],
  ...['total_time', 'metadata', 'quiz_results', 'first_name', 'last_name', 'email_address', 'survey_language'],
];

/** Members of an answer that are read, or that repeat another member. */
const ANSWER_MEMBERS = new Set([
  ...['choice_id', 'row_id', 'col_id', 'other_id', 'text', 'simple_text', 'download_url', 'content_type'],
]);
const NOT_TAKEN = 'the question has no such row, comment or choice for other texts';
/** Collection modes of previews, which do not come from respondents. */
const PREVIEWS = ['preview', 'survey_preview'];
/** Quiz results of an answer. */
const QUIZ = ['is_correct', 'score'];
const QUIZ_RESULT_MEMBERS = new Set(['choice_id', 'row_id', 'col_id', 'other_id', ...QUIZ]);

/** Reads SurveyMonkey responses: a page of `GET …/responses/bulk`, an array, or a file with the survey. */
export const readSurveyMonkeyResponses: ResponseFileReader = (file, { payload }, { warn }) =>
  readToolResponses(file, [['data'], RESPONSES_PATH, []], formatOf(payload), warn);

/** Reads the responses in a file that also has the survey. */
export function readResponsesWithSurvey(file: ImportFile, payload: JsonObject, warn: Warn) {
  return readToolResponses(file, [RESPONSES_PATH], formatOf(payload), warn);
}

function formatOf(payload: JsonObject): ResponseFormat {
  const readers = createAnswerReaders(payload);
  return {
    expected: 'an array `data` of responses, as from GET /v3/surveys/{id}/responses/bulk',
    members: RESPONSE_MEMBERS,
    metadataMembers: METADATA_MEMBERS,
    read(value, path, warnOnce) {
      const id = String(value['id'] ?? '');
      const given = value['response_status'];
      const status = readStatus(given === 'partial' ? 'in_progress' : (given ?? ''));
      if ('problem' in status) {
        return { id, code: 'BAD_STATUS', detail: 'response_status must be completed, partial or disqualified' };
      }
      if (!isArray(value['pages'])) {
        const detail = 'The response has no answers: export responses with GET /v3/surveys/{id}/responses/bulk';
        return { id, code: 'BAD_ANSWERS', detail };
      }
      const { collector, quiz } = readAnswers(value['pages'], path, readers, warnOnce);
      const { answers, files, unassigned } = collector;
      return {
        id,
        startedAt: value['date_created'] ?? undefined,
        completedAt: value['date_modified'] ?? undefined,
        ...status,
        isTest: PREVIEWS.includes(String(value['collection_mode'])),
        metadata: { files, quiz },
        answers,
        unassigned,
      };
    },
  };
}

function readAnswers(
  pages: readonly JsonValue[],
  path: string,
  readers: ReadonlyMap<string, readonly AnswerReader[]>,
  warnOnce: WarnOnce,
) {
  const collector = createAnswerCollector(warnOnce);
  const quiz: JsonObject = {};
  for (const [index, page] of pages.entries()) {
    for (const [position, question] of listOf(page, 'questions').entries()) {
      const at = `${path}/pages/${index}/questions/${position}`;
      if (!isObject(question)) {
        collector.addNoAnswer('questions', question);
        continue;
      }
      const id = String(question['id'] ?? '');
      const given = listOf(question, 'answers');
      const sourceAnswers = given.filter((answer) => isObject(answer));
      const answerReaders = readers.get(id);
      if (answerReaders === undefined) {
        collector.addUnknown(id, [...given], at);
        continue;
      }
      const malformed = given.filter((answer) => !isObject(answer));
      if (malformed.length > 0) collector.addNoAnswer(id, malformed);
      warnOfMembers(sourceAnswers, at, warnOnce);
      const quizResults = sourceAnswers.flatMap(quizResultOf);
      if (quizResults.length > 0) {
        setMember(quiz, answerReaders[0]?.question.id ?? id, quizResults);
        const detail = 'Quiz results are kept in the metadata of the response';
        warnOnce('quiz', { path: at, code: 'NOT_IMPORTED', detail });
      }
      const rest = sourceAnswers.filter((answer) => !answerReaders.some((part) => part.takes(answer)));
      if (rest.length > 0) collector.addNoAnswer(id, rest, NOT_TAKEN);
      for (const { question: answered, read, takes } of answerReaders) {
        collector.add(answered.id, read(sourceAnswers));
        if (answered.type !== 'file_upload') continue;
        const addresses = sourceAnswers.filter(takes).map((answer) => answer['download_url'] ?? null);
        collector.addFiles(answered.id, addresses, at);
      }
    }
  }
  return { collector, quiz };
}

/** The quiz result of an answer; empty if there is none. */
function quizResultOf(answer: JsonObject): JsonObject[] {
  if (!QUIZ.some((name) => name in answer)) return [];
  return [Object.fromEntries(Object.entries(answer).filter(([name]) => QUIZ_RESULT_MEMBERS.has(name)))];
}

function warnOfMembers(answers: readonly JsonObject[], path: string, warnOnce: WarnOnce): void {
  for (const [name, value] of answers.flatMap((answer) => Object.entries(answer))) {
    if (ANSWER_MEMBERS.has(name) || QUIZ.includes(name) || isUnanswered(value)) continue;
    const detail = `The ${name} of an answer is not imported`;
    warnOnce(`answer ${name}`, { path, code: 'NOT_IMPORTED', detail });
  }
}

function listOf(owner: JsonValue, name: string): readonly JsonValue[] {
  const list = isObject(owner) ? owner[name] : undefined;
  return isArray(list) ? list : [];
}
