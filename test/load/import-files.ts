import { writeXlsx } from '@survey/formats/testing/write-xlsx';

/** A typical survey of 20 questions: choices, ratings, numbers and texts. */
const questions = Array.from({ length: 20 }, (_, index) => {
  const id = `q${index}`;
  const title = `Question ${index}?`;
  if (index % 4 === 0) return { id, type: 'single_choice', title, options: ['red', 'green', 'blue'] };
  if (index % 4 === 1) return { id, type: 'multiple_choice', title, options: ['red', 'green', 'blue'] };
  return index % 4 === 2 ? { id, type: 'rating', title, min: 1, max: 10 } : { id, type: 'text', title };
});

export const surveyOfTwenty = {
  schema_version: '1.0',
  version: 1,
  survey: { title: 'Twenty', supported_languages: ['en'], pages: [{ questions }] },
};

const colours = ['red', 'green', 'blue'];

function answerOf(question: number, response: number): unknown {
  const colour = colours[(question + response) % 3];
  if (question % 4 === 0) return colour;
  if (question % 4 === 1) return [colour];
  return question % 4 === 2 ? (response % 10) + 1 : `answer ${response} in a few words`;
}

/** Generates a file of complete responses in pieces of about 64 KiB. */
export function* ndjsonOf(count: number): Generator<string> {
  yield* inPieces(count, (response) => {
    const data = Object.fromEntries(questions.map(({ id }, question) => [id, answerOf(question, response)]));
    return `${JSON.stringify({ id: `r-${response}`, submitted_at: '2026-01-02T03:04:05Z', data })}\n`;
  });
}

const header = [
  'id',
  'submitted_at',
  ...questions.flatMap(({ id }, question) => (question % 4 === 1 ? colours.map((colour) => `${id}[${colour}]`) : [id])),
];

function rowOf(response: number): string[] {
  const cells = questions.flatMap((_, question) => {
    const answer = answerOf(question, response);
    return Array.isArray(answer) ? colours.map((colour) => (answer.includes(colour) ? '1' : '')) : [String(answer)];
  });
  return [`r-${response}`, '2026-01-02T03:04:05Z', ...cells];
}

/** Generates a table with one row for each response. */
export function* csvOf(count: number): Generator<string> {
  yield `${header.join()}\n`;
  yield* inPieces(count, (response) => `${rowOf(response).join()}\n`);
}

/** Generates a workbook with a sheet of responses. */
export function xlsxOf(count: number): Promise<Buffer> {
  return writeXlsx({ Responses: [header, ...Array.from({ length: count }, (_, response) => rowOf(response))] });
}

function* inPieces(count: number, textOf: (index: number) => string): Generator<string> {
  let piece = '';
  for (let index = 0; index < count; index += 1) {
    piece += textOf(index);
    if (piece.length < 65_536) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
